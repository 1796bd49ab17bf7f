import { describeBodies, REPRESENTATIONS } from './bodies.ts'

describeBodies(REPRESENTATIONS.filter(([, coding]) => coding !== 'identity'))
