// Two of the demo's organizations, on the standby as in production. Unlike generated ones, they have many rows.
import { describeDemo } from './describe-demo.ts'

const ORGANIZATIONS = new Set(['the one in Vladivostok', 'the empty one'])
const PERIODS = new Set(['this year', 'a month', 'days on both sides of today'])

await describeDemo((organization, period) => ORGANIZATIONS.has(organization) && PERIODS.has(period))
