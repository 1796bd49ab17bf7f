// Every bad definition that loads and every shipped definition, for all organizations of the demo.
import { LOADABLE, findNothingInOurs, findOnReplica } from './on-replica.ts'

findOnReplica(LOADABLE)
findNothingInOurs()
