/** `from` and `to` of a request become a half-open period in the organization's time zone. */
import { Problem, printable } from '../model/errors.ts'
import type { IsoDate, Milliseconds, Period } from '../model/terms.ts'
import { addDays, isDate, localDate } from './calendar.ts'

/** What the query string holds, percent-decoded; an array where a parameter is repeated. */
export interface PeriodQuery {
  readonly from?: string | readonly string[] | undefined
  readonly to?: string | readonly string[] | undefined
}

/** Of a query. */
export const PERIOD_PARAMETERS = ['from', 'to'] as const

type Parameter = (typeof PERIOD_PARAMETERS)[number]

const OFFSET = '(?<offset>[Zz]|[+\\- ]\\d\\d(?::?\\d\\d)?)?'
const FRACTION = '(?:[.,]\\d+)?'
const SHAPES = [
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
  new RegExp(
    '^(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)[Tt]' +
      `(?<hour>\\d\\d)(?::(?<minute>\\d\\d)(?::(?<second>\\d\\d)${FRACTION})?)?${OFFSET}$`,
  ),
  new RegExp(
    '^(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)[Tt]' +
      `(?<hour>\\d\\d)(?:(?<minute>\\d\\d)(?:(?<second>\\d\\d)${FRACTION})?)?${OFFSET}$`,
  ),
]

/**
 * The period that a request asks for. Both parameters are inclusive calendar dates of the
 * organization; a missing one takes the current year's first or last day there.
 * @throws Problem `bad_range` that names the parameter, what was found and what was expected.
 * @throws Error where the time zone is unknown.
 */
export function parsePeriod(query: PeriodQuery, nowMs: Milliseconds, timeZone: string): Period {
  const year = localDate(nowMs, timeZone).slice(0, 4)
  const from = parseDate('from', query.from, timeZone) ?? `${year}-01-01`
  const to = parseDate('to', query.to, timeZone) ?? `${year}-12-31`
  if (from > to) {
    const given = (value: unknown, parameter: Parameter, language: 'ru' | 'en') => {
      if (value !== undefined) return parameter
      return language === 'ru' ? `${parameter} по умолчанию` : `the default ${parameter}`
    }
    throw new Problem('bad_range', {
      ru: `${given(query.from, 'from', 'ru')} (${from}) позже, чем ${given(query.to, 'to', 'ru')} (${to}), а ожидалось from не позже to.`,
      en: `${given(query.from, 'from', 'en')} (${from}) is after ${given(query.to, 'to', 'en')} (${to}); expected from on or before to.`,
    })
  }
  return { start: from, end: addDays(to, 1) }
}

function parseDate(
  parameter: Parameter,
  value: string | readonly string[] | undefined,
  timeZone: string,
): IsoDate | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') {
    if (value.length === 1) return parseDate(parameter, value[0], timeZone)
    throw badDate(parameter, { ru: 'указан больше одного раза', en: 'is given more than once' })
  }
  if (value === '') throw badDate(parameter, { ru: 'пуст', en: 'is empty' })
  const date = readDate(value, timeZone)
  if (date === undefined) {
    const found = printable(value)
    throw badDate(parameter, { ru: `равен «${found}»`, en: `is "${found}"` })
  }
  if (date < '1900-01-01' || date > '2999-12-31') {
    throw badDate(parameter, {
      ru: `равен ${printable(value)}, это вне 1900–2999 годов`,
      en: `is ${printable(value)}, outside the years 1900-2999`,
    })
  }
  return date
}

/** Undefined where the text is no date. */
function readDate(text: string, timeZone: string): IsoDate | undefined {
  const fields = SHAPES.map(shape => shape.exec(text)?.groups).find(groups => groups !== undefined)
  if (fields === undefined) return undefined
  const { year, month, day, hour = '00', minute = '00', second = '00', offset } = fields
  const date = `${year}-${month}-${day}`
  if (!isDate(date) || hour > '23' || minute > '59' || second > '60') return undefined
  if (offset === undefined) return date
  const offsetMs = readOffset(offset)
  if (offsetMs === undefined) return undefined
  // A leap second belongs to the minute that it ends.
  const whole = second === '60' ? '59' : second
  return localDate(Date.parse(`${date}T${hour}:${minute}:${whole}Z`) - offsetMs, timeZone)
}

function readOffset(text: string): Milliseconds | undefined {
  if (text === 'Z' || text === 'z') return 0
  const [, hours = '', minutes = '00'] = /^.(\d\d):?(\d\d)?$/.exec(text) ?? []
  if (hours > '23' || minutes > '59') return undefined
  // A query string's `+` arrives as a blank where the client did not escape it.
  const sign = text.startsWith('-') ? -1 : 1
  return sign * (Number(hours) * 60 + Number(minutes)) * 60_000
}

function badDate(parameter: Parameter, found: { ru: string; en: string }): Problem {
  return new Problem('bad_range', {
    ru: `Параметр ${parameter} ${found.ru}, а ожидалась дата вида 2026-01-31 или 2026-01-31T00:00:00+03:00.`,
    en: `Parameter ${parameter} ${found.en}; expected a date such as 2026-01-31 or 2026-01-31T00:00:00+03:00.`,
  })
}
