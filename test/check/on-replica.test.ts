// One definition of each fault that only a replica tells; the proof asks about all definitions, for all organizations.
import { ASKED, findOnReplica } from './on-replica.ts'

/** Beside each of them stands a faster one with the same fault. */
const SLOW = new Set([
  'a table with its schema and without the organization',
  'a where without the organization',
  'a percentage of integers',
  'a column is not selected',
])

findOnReplica(
  ASKED.filter(
    ({ title, expected }) =>
      !SLOW.has(title) && (expected.length === 0 || expected.some(({ by }) => by === 'replica')),
  ),
  ['business', 'large'],
)
