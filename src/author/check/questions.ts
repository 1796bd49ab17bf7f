/** The organizations and periods for which a definition is checked. Knows no database. */
import { addDays, localDate } from '../../definitions/calendar.ts'
import type { Bindings } from '../../definitions/definition.ts'
import type { Clock, IsoDate, Organization, Period } from '../../model/terms.ts'

/** An organization for which definitions are executed. */
export interface CheckedOrganization extends Organization {
  readonly nickname?: string | undefined
  /** A day around which the organization has rows; undefined if that is today. */
  readonly anchor?: IsoDate | undefined
  /** Replaces the named periods. */
  readonly period?: Period | undefined
}

export interface Question {
  readonly organization: CheckedOrganization
  readonly bindings: Bindings
  /** As messages show it: `organization business, this year`. */
  readonly label: string
}

/** @param day the anchor; without one, a day shortly before today */
const PERIODS = {
  'this year': (today: IsoDate) => years(today, 0, 1),
  'last year': (today: IsoDate) => years(today, -1, 0),
  'next year': (today: IsoDate) => years(today, 1, 2),
  // why: a statement with a row for each day of a thousand years is slow without a fault
  'twelve years': (today: IsoDate) => years(today, -10, 3),
  'five weeks': (_today: IsoDate, day: IsoDate) => days(day, -34),
  'one day': (_today: IsoDate, day: IsoDate) => days(day, 0),
}
export type NamedPeriod = keyof typeof PERIODS

export const ALL_PERIODS = Object.keys(PERIODS) as NamedPeriod[]

/** Periods that are long, past, short, and in the future. "This year" is the year of the anchor. */
export const EXECUTION_PERIODS = ['this year', 'last year', 'one day', 'next year'] as const

function years(day: IsoDate, from: number, to: number): Period {
  const year = Number(day.slice(0, 4))
  return { start: `${year + from}-01-01`, end: `${year + to}-01-01` }
}

function days(last: IsoDate, from: number): Period {
  return { start: addDays(last, from), end: addDays(last, 1) }
}

export function questionOf(
  organization: CheckedOrganization,
  named: NamedPeriod,
  now: Clock,
): Question {
  const { id, timeZone, nickname = id, anchor, period: fixedPeriod } = organization
  const nowMs = now()
  const today = localDate(nowMs, timeZone)
  const period = fixedPeriod ?? PERIODS[named](anchor ?? today, anchor ?? addDays(today, -9))
  const isNamed = fixedPeriod === undefined && anchor === undefined
  const label = isNamed ? named : `${period.start} to ${addDays(period.end, -1)}`
  return {
    organization,
    bindings: {
      organizationId: id,
      period,
      today,
      now: new Date(nowMs).toISOString(),
      timeZone,
    },
    label: `organization ${nickname}, ${label}`,
  }
}

/** Without duplicates: two names may give the same period. */
export function questionsOf(
  organization: CheckedOrganization,
  names: readonly NamedPeriod[],
  now: Clock,
): Question[] {
  const all = names.map(named => questionOf(organization, named, now))
  return [...new Map(all.map(question => [question.label, question])).values()]
}

/** An organization that does not exist; empty if no id can be made up for the type. */
export function unknownOrganization(idType: string): CheckedOrganization[] {
  const [, id] = UNKNOWN_IDS.find(([types]) => types.includes(idType)) ?? []
  if (id === undefined) return []
  return [{ id, idType, timeZone: 'UTC', entitled: true, nickname: 'that does not exist' }]
}

const UNKNOWN_IDS: ReadonlyArray<readonly [types: readonly string[], id: string]> = [
  [['smallint', 'integer', 'bigint', 'numeric'], '-1'],
  [['text', 'citext', 'name', 'bpchar', 'character varying'], '~ no such organization'],
  [['uuid'], '00000000-0000-4000-8000-00000000dead'],
]
