/** Parses `from` and `to` of a request into a half-open period in the organization's time zone. */
import { Problem, printable } from '../model/errors.ts'
import type { IsoDate, Milliseconds, Period } from '../model/terms.ts'
import { addDays, isDate, localDate } from './calendar.ts'

/** Percent-decoded query parameters. */
export interface PeriodQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export const PERIOD_PARAMETERS = ['from', 'to'] as const

type Parameter = (typeof PERIOD_PARAMETERS)[number]

/** ISO 8601, extended or basic. An unescaped `+` in a query string arrives as a space. */
const DATE = String.raw`(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)`
const SECOND = String.raw`(?:\k<colon>(?<second>\d\d)(?:[.,]\d+)?)?`
const TIME = String.raw`(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)${SECOND})?`
const OFFSET = String.raw`(?:[Zz]|(?<sign>[+\- ])(?<hours>\d\d)(?::?(?<minutes>\d\d))?)`
const SHAPE = new RegExp(`^${DATE}(?:[Tt ]${TIME}(?<offset>${OFFSET})?)?$`)

/**
 * Both parameters are inclusive calendar dates in the time zone; the defaults are the first and the last day of the
 * current year there.
 * @throws Problem `bad_range`
 * @throws Error if the time zone is unknown.
 */
export function parsePeriod(query: PeriodQuery, nowMs: Milliseconds, timeZone: string): Period {
  const year = localDate(nowMs, timeZone).slice(0, 4)
  const from = parseDate('from', query.from, timeZone) ?? `${year}-01-01`
  const to = parseDate('to', query.to, timeZone) ?? `${year}-12-31`
  if (from > to) {
    const [isFromGiven, isToGiven] = [query.from, query.to].map(given => given !== undefined)
    throw new Problem('bad_range', texts => texts.fromAfterTo(from, to, isFromGiven!, isToGiven!))
  }
  return { start: from, end: addDays(to, 1) }
}

function parseDate(
  parameter: Parameter,
  text: string | undefined,
  timeZone: string,
): IsoDate | undefined {
  if (text === undefined) return undefined
  const date = readDate(text, timeZone)
  const found = printable(text)
  if (date === undefined) throw new Problem('bad_range', texts => texts.wrongDate(parameter, found))
  if (date < '1900-01-01' || date > '2999-12-31')
    throw new Problem('bad_range', texts => texts.dateOutOfRange(parameter, found))
  return date
}

/** Undefined if the text is not a date. */
function readDate(text: string, timeZone: string): IsoDate | undefined {
  if (isDate(text)) return text
  const { groups } = SHAPE.exec(text) ?? {}
  if (groups === undefined) return undefined
  const { year, month, day, dash, hour = '00', colon, minute = '00', second = '00' } = groups
  const { offset, sign, hours = '00', minutes = '00' } = groups
  const date = `${year}-${month}-${day}`
  const isMixed = colon !== undefined && (colon === '') !== (dash === '')
  if (isMixed || !isDate(date) || hour > '23' || minute > '59' || second > '60') return undefined
  if (hours > '23' || minutes > '59') return undefined
  if (offset === undefined) return date
  // A leap second belongs to the minute that it ends.
  const whole = second === '60' ? '59' : second
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000
  const instantMs = Date.parse(`${date}T${hour}:${minute}:${whole}Z`)
  return localDate(instantMs - (sign === '-' ? -offsetMs : offsetMs), timeZone)
}
