import { describeQuick } from '../harness/describe-quick.ts'
import { shutdown } from './shutdown.ts'

describeQuick('faults', shutdown)
