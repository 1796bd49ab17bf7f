import { describeQuick } from '../harness/describe-quick.ts'
import { keys } from './keys.ts'

describeQuick('faults', keys)
