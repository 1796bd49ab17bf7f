/** The request for a generated organization: 240 seeds combine every zone, instant and period. */
import type { IsoDate, Period } from '../../../src/model/terms.ts'
import { addDays, localDate, microseconds } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'

/** By zone, two days of offset changes. In Havana the first has no midnight and the second has two. */
const OFFSET_CHANGES = {
  'Europe/Moscow': ['2014-10-26', '2011-03-27'],
  'Asia/Vladivostok': ['2014-10-26', '2011-03-27'],
  'America/St_Johns': ['2026-03-08', '2026-11-01'],
  'Europe/Berlin': ['2026-03-29', '2026-10-25'],
  'America/Havana': ['2026-03-08', '2026-11-01'],
} as const

const ZONES = Object.keys(OFFSET_CHANGES)
const NOWS = ['2026-11-21T09:30:00.123Z', '2026-12-31T20:59:59.999Z', '2028-02-29T10:00:00.000Z']

export function offsetChanges(timeZone: string): readonly IsoDate[] {
  return new Map<string, readonly IsoDate[]>(Object.entries(OFFSET_CHANGES)).get(timeZone) ?? []
}

function mondayAfter(date: IsoDate): IsoDate {
  return addDays(date, 7 - ((new Date(date).getUTCDay() + 6) % 7))
}

/** In the past, the present and the future, long and short. */
function periodsOf(today: IsoDate, timeZone: string): Period[] {
  const year = Number(today.slice(0, 4))
  const month = `${today.slice(0, 7)}-01`
  const [forward = today, back = today] = offsetChanges(timeZone)
  return [
    { start: `${year}-01-01`, end: `${year + 1}-01-01` },
    { start: `${year - 1}-01-01`, end: `${year}-01-01` },
    { start: '2024-02-29', end: '2024-03-01' },
    { start: today, end: addDays(today, 1) },
    { start: addDays(today, -10), end: addDays(mondayAfter(addDays(today, 13)), 1) },
    { start: addDays(mondayAfter(today), -1), end: addDays(today, 40) },
    { start: forward, end: addDays(forward, 211) },
    { start: back, end: addDays(back, 1) },
    { start: addDays(forward, -50), end: forward },
    { start: addDays(today, -52), end: today },
    { start: `${year - 1}-12-31`, end: `${year}-01-02` },
    { start: `${year + 1}-01-01`, end: `${year + 2}-01-01` },
    { start: `${year - 1}-10-01`, end: `${year}-01-01` },
    { start: month, end: `${addDays(month, 31).slice(0, 7)}-01` },
    { start: forward, end: addDays(forward, 1) },
    { start: '2023-01-01', end: '2029-01-01' },
  ]
}

export function questionOf(seed: number): Question {
  const timeZone = ZONES[seed % ZONES.length]!
  const now = NOWS[Math.floor(seed / ZONES.length) % NOWS.length]!
  const today = localDate(microseconds(now), timeZone)
  const periods = periodsOf(today, timeZone)
  const period = periods[Math.floor(seed / ZONES.length / NOWS.length) % periods.length]!
  return { period, today, now, timeZone }
}
