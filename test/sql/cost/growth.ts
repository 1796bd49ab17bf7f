/** What definitions read before and after their database grows, in buffers, which a busy machine does not change. */
import { expect } from 'chai'
import type { Client } from 'pg'
import type { Definition } from '../../../src/definitions/definition.ts'
import { compileStatement } from '../../../src/definitions/statement.ts'
import type { Plan } from '../../../src/author/plans/plan.ts'
import type { Question } from '../oracles/oracle.ts'
import { DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import { allowedGrowth } from './allowed-growth.ts'
import type { Product } from './allowed-growth.ts'
import { describeReads, explain } from './explain.ts'
import { buffersOfOwnRows, growingProduct, indexesOf } from './growing-product.ts'

const [{ id: SUBJECT, timeZone }] = DEMO_ORGANIZATIONS

type Cheap = Pick<Definition, 'name' | 'statement'>

interface Look extends Product {
  /** By definition and period. */
  readonly runs: ReadonlyMap<string, Plan & { readonly answer: string }>
}

export interface Growth {
  /** `history`, of what there is more after each step. */
  readonly title: string
  readonly periods: readonly string[]
  /** Looks are taken before the first step and after each. */
  readonly steps: readonly ((client: Client, subject: string) => Promise<void>)[]
  /** Statements that are seen to grow, by what they read. */
  readonly planted: Readonly<Record<string, string>>
  /** Tables that count; all where there are none. */
  readonly tables?: ReadonlySet<string>
  /** Definitions that grow all the same, and why that is right. */
  readonly excused?: Readonly<Record<string, string>>
  readonly advice: string
}

/** A definition may read more between the last two looks where its answer has ever changed. */
export function describeGrowth(growth: Growth): void {
  const { title, periods, steps, planted, tables, excused = {}, advice } = growth
  const { reports, metricsFiles } = ourCatalog()
  const shipped: readonly Cheap[] = [...reports.values(), ...metricsFiles.values()]
  const slips = Object.entries(planted).map(([name, sql]) => {
    return { name, statement: compileStatement(sql) }
  })
  const asked = questions(Date.now, timeZone).filter(({ name }) => periods.includes(name))

  describe(`buffers of a definition and ${title}`, function () {
    this.timeout(120_000)
    const looks: Look[] = []
    let client: Client

    before(async () => {
      client = await growingProduct(SUBJECT)
      looks.push(await look())
      for (const grow of steps) {
        await grow(client, SUBJECT)
        looks.push(await look())
      }
    })

    after(() => client?.end())

    async function look(): Promise<Look> {
      const runs = new Map<string, Plan & { answer: string }>()
      for (const definition of [...shipped, ...slips]) {
        for (const { name, question } of asked) {
          const run = await explain(client, definition, SUBJECT, question)
          const answer = await answerOf(definition, question)
          runs.set(`${definition.name} over ${name}`, { ...run, answer })
        }
      }
      const ownRows = await buffersOfOwnRows(client, SUBJECT)
      return { runs, indexes: await indexesOf(client), ownRows }
    }

    async function answerOf({ statement }: Cheap, question: Question): Promise<string> {
      const values = statement.values({ organizationId: SUBJECT, ...question })
      const { rows } = await client.query(statement.text('uuid'), [...values])
      return JSON.stringify(rows)
    }

    function counted(run: Plan, { indexes }: Product): Plan {
      if (tables === undefined) return run
      const nodes = run.nodes.filter(({ table, index }) =>
        tables.has(table ?? indexes.get(index ?? '')?.table ?? ''),
      )
      return { ...run, nodes, buffers: nodes.reduce((sum, { buffers }) => sum + buffers, 0) }
    }

    /** How a definition's buffers have grown by more than is allowed; nothing where they have not. */
    function growthOf(definition: string): string {
      const [few, many] = looks.slice(-2) as [Look, Look]
      const found = asked.map(({ name }) => {
        const what = `${definition} over ${name}`
        const runs = looks.map(({ runs }) => runs.get(what)!)
        if (new Set(runs.map(({ answer }) => answer)).size > 1) return ''
        const [before, after] = [counted(runs.at(-2)!, few), counted(runs.at(-1)!, many)]
        const allowed = allowedGrowth(before, after, few, many)
        if (after.buffers <= before.buffers + allowed) return ''
        return `${what}, ${allowed} more allowed, before\n${describeReads(before)}\n  and after\n${describeReads(after)}\n${advice}\n`
      })
      return found.join('')
    }

    for (const { name } of shipped) {
      const reason = excused[name]
      it(`${name} reads ${reason === undefined ? 'as many' : `more: ${reason}`}`, () => {
        if (reason === undefined) expect(growthOf(name)).to.equal('')
        else expect(growthOf(name)).to.include(name)
      })
    }

    for (const { name } of slips) {
      it(`are seen to grow with ${name}`, () => expect(growthOf(name)).to.include(name))
    }
  })
}
