// Every bad definition that loads, and every one of ours, for all organizations of the demo.
import { ASKED, findNothingInOurs, findOnReplica } from './on-replica.ts'

findOnReplica(ASKED)
findNothingInOurs()
