/** Whom a definition is asked for, and over which periods. Knows no database. */
import { addDays, localDate } from '../../definitions/calendar.ts'
import type { Bindings } from '../../definitions/definition.ts'
import type { Clock, Organization, Period } from '../../model/terms.ts'

/** An organization that is asked for, by its nickname where it has one. */
export interface CheckedOrganization extends Organization {
  readonly nickname?: string | undefined
}

export interface Question {
  readonly organization: CheckedOrganization
  readonly bindings: Bindings
  /** As messages say it: `organization business, this year`. */
  readonly said: string
}

/** Of runs: long, over, short, and one that has not begun. */
export const RUN_PERIODS = ['this year', 'last year', 'one day', 'next year'] as const
/** Of answers that are compared: all that there is, what a day's border cuts, and too short for rows to differ. */
const COMPARED_PERIODS = ['this year', 'twelve years', 'five weeks', 'one day'] as const
export type NamedPeriod = (typeof RUN_PERIODS)[number] | (typeof COMPARED_PERIODS)[number]

function years(start: number, end = start + 1): Period {
  return { start: `${start}-01-01`, end: `${end}-01-01` }
}

export function questionOf(
  organization: CheckedOrganization,
  named: NamedPeriod,
  now: Clock,
): Question {
  const { id, timeZone, nickname = id } = organization
  const nowMs = now()
  const today = localDate(nowMs, timeZone)
  return {
    organization,
    bindings: {
      organizationId: id,
      period: periodNamed(named, today),
      today,
      now: new Date(nowMs).toISOString(),
      timeZone,
    },
    said: `organization ${nickname}, ${named}`,
  }
}

function periodNamed(named: NamedPeriod, today: string): Period {
  const year = Number(today.slice(0, 4))
  switch (named) {
    case 'this year':
      return years(year)
    case 'last year':
      return years(year - 1)
    case 'next year':
      return years(year + 1)
    case 'twelve years':
      // why: a statement that makes a row for each day of a thousand years takes long for no fault of its own
      return years(year - 10, year + 3)
    case 'one day':
      return { start: addDays(today, -9), end: addDays(today, -8) }
    case 'five weeks':
      return { start: addDays(today, -45), end: addDays(today, -10) }
  }
}
