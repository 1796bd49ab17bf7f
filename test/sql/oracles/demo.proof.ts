// All of the demo's organizations over all periods.
import { describeDemo } from './describe-demo.ts'

await describeDemo(() => true)
