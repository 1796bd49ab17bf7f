// Requests whose answers are kept.
import type { Group } from '../row.ts'

export const hits: Group = {
  name: 'hits',
  rows: () => Promise.resolve([]),
}
