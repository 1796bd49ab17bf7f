import { describeQuick } from '../harness/describe-quick.ts'
import { herd } from './herd.ts'

describeQuick('faults', herd)
