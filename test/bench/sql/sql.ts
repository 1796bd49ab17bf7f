// The shipped definitions: what tuning gains, and that their cost is that of their own organization's rows.
import type { Group } from '../row.ts'
import { growth } from './growth.ts'
import { tunedAgainstNaive } from './tuned.ts'

export const sql: Group = {
  name: 'sql',
  rows: async bench => [await tunedAgainstNaive(bench), await growth(bench)],
}
