// The other half of on-replica.test.ts, so that test files run in parallel.
import { findOnReplica, ONLY_ON_REPLICA } from './on-replica.ts'

findOnReplica(
  ONLY_ON_REPLICA.filter(({ file }) => !/payments|accounts/.test(file)),
  ['business', 'large'],
)
