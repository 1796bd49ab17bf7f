// Plans of a test's statements on the standby with the demo's data, for the large organization.
import { after, before } from 'mocha'
import type { Client } from 'pg'
import { explainStatement } from '../../src/author/plans/explain.ts'
import type { ExplainOptions } from '../../src/author/plans/explain.ts'
import type { Plan, PlanNode } from '../../src/author/plans/plan.ts'
import { nodeOffsets, type NodeOffset } from '../../src/author/plans/node-offsets.ts'
import { scannedRelations } from '../../src/author/plans/scanned-relations.ts'
import type { Suspect } from '../../src/author/plans/suspect.ts'
import { findSuspects } from '../../src/author/plans/suspects.ts'
import { readQuery } from '../../src/author/sql/query.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { connectAsReports, DEMO_ORGANIZATIONS } from '../sql/subject.ts'

export const LARGE = DEMO_ORGANIZATIONS[3]

export interface Standby {
  readonly client: Client
  /** `$1` is the organization; settings such as `work_mem = '64kB'` apply to this plan only. */
  plan(text: string, settings?: readonly string[], options?: ExplainOptions): Promise<Plan>
  /** The suspects of a statement, with their plan and offsets. */
  explained(
    text: string,
    settings?: readonly string[],
    values?: readonly string[],
  ): Promise<ExplainedStatement>
}

export interface ExplainedStatement {
  readonly plan: Plan
  readonly suspects: readonly Suspect[]
  readonly offsetOf: NodeOffset
}

/** Connects for the tests of a `describe`. */
export function useStandby(): Standby {
  let client: Client
  before(async function () {
    this.timeout(60_000)
    client = await connectAsReports()
  })
  after(() => client?.end())
  async function withSettings<T>(settings: readonly string[], ask: () => Promise<T>): Promise<T> {
    await client.query('begin')
    try {
      for (const setting of settings) await client.query(`set local ${setting}`)
      return await ask()
    } finally {
      await client.query('rollback')
    }
  }
  const valuesOf = (text: string) => (text.includes('$1') ? [LARGE.id] : [])
  return {
    get client() {
      return client
    },
    plan: (text, settings = [], options = {}) =>
      withSettings(settings, () => explainStatement(client, text, valuesOf(text), options)),
    explained: (text, settings = [], values = valuesOf(text)) =>
      withSettings(settings, async () => {
        const plan = await explainStatement(client, text, values)
        const suspects = await findSuspects(client, { text, values, plan }, parseSql)
        const sql = await parseSql({ text, placeholders: [] })
        const query = readQuery(sql.statements[0]?.tree)!
        const scanned = await scannedRelations(client, { sql, query }, values, plan)
        return { plan, suspects, offsetOf: nodeOffsets(plan, query, scanned) }
      }),
  }
}

/** @throws Error if there is no node of that type. */
export function nodeOf({ nodes }: Plan, type: string): PlanNode {
  const found = nodes.find(node => node.type === type)
  if (found !== undefined) return found
  throw new Error(`no ${type} among ${nodes.map(node => node.type).join(', ')}`)
}
