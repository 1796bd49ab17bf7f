// One definition of each fault that only a replica tells; the proof asks about all definitions, for all organizations.
import { findOnReplica, ONLY_ON_REPLICA } from './on-replica.ts'

findOnReplica(
  ONLY_ON_REPLICA.filter(({ file }) => /payments|accounts/.test(file)),
  ['business', 'large'],
)
