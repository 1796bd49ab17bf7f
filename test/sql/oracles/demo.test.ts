// On the standby, as reports run: what generated organizations do not have is many rows.
import { describeDemo } from './describe-demo.ts'

await describeDemo({
  organizations: ['the one in Vladivostok', 'the empty one'],
  periods: ['this year', 'a month', 'days on both sides of today'],
})
