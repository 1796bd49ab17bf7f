/** Buffers that definitions read before and after their database grows; the load of the machine does not matter. */
import { expect } from 'chai'
import type { Client } from 'pg'
import { PLACEHOLDERS, type Definition } from '../../../src/definitions/definition.ts'
import { cutAtPlaceholders } from '../../../src/definitions/sql/sql-pieces.ts'
import { compileStatement } from '../../../src/definitions/statement.ts'
import type { Plan } from '../../../src/author/plans/plan.ts'
import { parseSql } from '../../harness/parse-sql.ts'
import type { Question } from '../oracles/oracle.ts'
import { DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import { allowedGrowth } from './allowed-growth.ts'
import type { Product } from './allowed-growth.ts'
import { describeReads, explain } from './explain.ts'
import { buffersOfOwnRows, growingProduct, indexesOf } from './growing-product.ts'

const [{ id: SUBJECT, timeZone }] = DEMO_ORGANIZATIONS

type Cheap = Pick<Definition, 'name' | 'statement'>

interface Measurement extends Product {
  /** By definition and period. */
  readonly plans: ReadonlyMap<string, Plan & { readonly answer: string }>
}

export interface Growth {
  /** What grows at each step, such as `history`. */
  readonly title: string
  readonly periods: readonly string[]
  /** Measured before the first step and after each. */
  readonly steps: readonly ((client: Client, subject: string) => Promise<void>)[]
  /** Control statements that must grow, by what they read. */
  readonly planted: Readonly<Record<string, string>>
  /** Tables to count; all by default. */
  readonly tables?: ReadonlySet<string>
  /** Definitions that may grow, with the reason. */
  readonly excused?: Readonly<Record<string, string>>
  readonly advice: string
}

/** A definition may read more between the last two measurements if its result has changed. */
export async function describeGrowth(growth: Growth): Promise<void> {
  const { title, periods, steps, planted, tables, excused = {}, advice } = growth
  const { reports, metricsFiles } = ourCatalog()
  const shipped: readonly Cheap[] = [...reports.values(), ...metricsFiles.values()]
  const controls = await Promise.all(
    Object.entries(planted).map(async ([name, text]) => {
      const sql = await parseSql({ text, placeholders: PLACEHOLDERS })
      const pieces = cutAtPlaceholders(sql, { start: 0, end: text.length })
      return { name, statement: compileStatement(pieces) }
    }),
  )
  const requests = questions(Date.now, timeZone).filter(({ name }) => periods.includes(name))

  describe(`buffers of a definition and ${title}`, function () {
    this.timeout(120_000)
    const measurements: Measurement[] = []
    let client: Client

    before(async () => {
      client = await growingProduct(SUBJECT)
      measurements.push(await measure())
      for (const grow of steps) {
        await grow(client, SUBJECT)
        measurements.push(await measure())
      }
    })

    after(() => client?.end())

    async function measure(): Promise<Measurement> {
      const plans = new Map<string, Plan & { answer: string }>()
      for (const definition of [...shipped, ...controls]) {
        for (const { name, question } of requests) {
          const plan = await explain(client, definition, SUBJECT, question)
          const answer = await answerOf(definition, question)
          plans.set(`${definition.name} over ${name}`, { ...plan, answer })
        }
      }
      const ownRows = await buffersOfOwnRows(client, SUBJECT)
      return { plans, indexes: await indexesOf(client), ownRows }
    }

    async function answerOf({ statement }: Cheap, question: Question): Promise<string> {
      const values = statement.values({ organizationId: SUBJECT, ...question })
      const { rows } = await client.query(statement.text('uuid'), [...values])
      return JSON.stringify(rows)
    }

    function counted(plan: Plan, { indexes }: Product): Plan {
      if (tables === undefined) return plan
      const nodes = plan.nodes.filter(({ table, index }) =>
        tables.has(table ?? indexes.get(index ?? '')?.table ?? ''),
      )
      return { ...plan, nodes, buffers: nodes.reduce((sum, { buffers }) => sum + buffers, 0) }
    }

    /** How a definition's buffers have grown more than allowed; empty if they have not. */
    function growthOf(definition: string): string {
      const [few, many] = measurements.slice(-2) as [Measurement, Measurement]
      const found = requests.map(({ name }) => {
        const what = `${definition} over ${name}`
        const plans = measurements.map(({ plans }) => plans.get(what)!)
        if (new Set(plans.map(({ answer }) => answer)).size > 1) return ''
        const [before, after] = [counted(plans.at(-2)!, few), counted(plans.at(-1)!, many)]
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

    for (const { name } of controls) {
      it(`grow with ${name}`, () => expect(growthOf(name)).to.include(name))
    }
  })
}
