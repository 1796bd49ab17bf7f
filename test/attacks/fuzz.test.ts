import { describeQuick } from '../harness/describe-quick.ts'
import { fuzz } from './fuzz.ts'

describeQuick('attacks', fuzz)
