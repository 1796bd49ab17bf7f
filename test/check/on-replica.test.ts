// One definition per fault that only a replica shows; the proof has all definitions and organizations.
import { findOnReplica, ONLY_ON_REPLICA } from './on-replica.ts'

findOnReplica(
  ONLY_ON_REPLICA.filter(({ file }) => /payments|accounts/.test(file)),
  ['business', 'large'],
)
