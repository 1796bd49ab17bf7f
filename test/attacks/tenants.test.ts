import { describeQuick } from '../harness/describe-quick.ts'
import { tenants } from './tenants.ts'

describeQuick('attacks', tenants)
