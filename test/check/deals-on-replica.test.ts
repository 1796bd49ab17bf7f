// The other half of on-replica.test.ts, so that no file takes long.
import { findOnReplica, ONLY_ON_REPLICA } from './on-replica.ts'

findOnReplica(
  ONLY_ON_REPLICA.filter(({ file }) => !/payments|accounts/.test(file)),
  ['business', 'large'],
)
