// Plans of a test's statements on the standby with the demo's data, for the large organization.
import { after, before } from 'mocha'
import type { Client } from 'pg'
import { explainStatement } from '../../src/author/plans/explain.ts'
import type { Plan, PlanNode } from '../../src/author/plans/plan.ts'
import { connectAsReports, DEMO_ORGANIZATIONS } from '../sql/subject.ts'

export const LARGE = DEMO_ORGANIZATIONS[3]

export interface Standby {
  readonly client: Client
  /** `$1` is the organization; settings such as `work_mem = '64kB'` apply to this plan only. */
  plan(text: string, settings?: readonly string[]): Promise<Plan>
}

/** Connects for the tests of a `describe`. */
export function useStandby(): Standby {
  let client: Client
  before(async () => {
    client = await connectAsReports()
  })
  after(() => client?.end())
  return {
    get client() {
      return client
    },
    plan: async (text, settings = []) => {
      await client.query('begin')
      try {
        for (const setting of settings) await client.query(`set local ${setting}`)
        const values = text.includes('$1') ? [LARGE.id] : []
        return await explainStatement(client, text, values, { timing: true })
      } finally {
        await client.query('rollback')
      }
    },
  }
}

/** @throws Error if there is no node of that type. */
export function nodeOf({ nodes }: Plan, type: string): PlanNode {
  const found = nodes.find(node => node.type === type)
  if (found !== undefined) return found
  throw new Error(`no ${type} among ${nodes.map(node => node.type).join(', ')}`)
}
