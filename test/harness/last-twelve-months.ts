// The period for tests that need rows: in January, the default period, the current year, has none.
import { addDays, localDate } from '../../src/definitions/calendar.ts'

// why: it has begun wherever an organization is, and does not end there during the test
const today = localDate(Date.now(), 'Pacific/Kiritimati')

/** On every day, each report of the three larger demo organizations has rows in it. */
export const LAST_TWELVE_MONTHS = { from: addDays(today, -364), to: today }
/** The same as parameters. */
export const OF_LAST_TWELVE_MONTHS = new URLSearchParams(LAST_TWELVE_MONTHS).toString()
