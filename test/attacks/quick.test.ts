import { describeQuick } from '../harness/describe-quick.ts'
import { GROUPS } from './groups.ts'

describeQuick('attacks', GROUPS)
