/**
 * Checks that PostgreSQL knows a time zone and gives it the same offsets as this runtime. A zone is checked when it is
 * new, and again every hour, because tzdata are updated; never in a request. Before, the verdict of this runtime is used.
 */
import { utcOffsetOf } from '../../definitions/calendar.ts'
import { EXPECTED, timeZoneFault } from '../../definitions/time-zone-name.ts'
import type { Fact } from '../../model/observation.ts'
import type { Clock, Instant, Milliseconds } from '../../model/terms.ts'
import type { ReadRows } from '../database/row-query.ts'

/** A `text[]` literal. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map(text => `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`).join(',')}}`
}

/** PostgreSQL and this runtime know the zone, but their offsets in minutes differ at an instant. */
export type TimeZoneDifference = Omit<Fact<'time-zone-differs'>, 'kind'>

interface Verdict {
  readonly fault: string | undefined
  /** When the next check is due. */
  readonly dueAt: Milliseconds
}

/** More than there are time zone names. */
const MAX_ZONES = 1000
const RECHECK_MS: Milliseconds = 60 * 60_000
/** Months around now in which offsets are compared. */
const MONTHS_BEFORE = 24
const MONTHS_AFTER = 12
const TIMEOUT = 'set local statement_timeout = 500'

export function createTimeZoneChecks(options: {
  readonly onDifference: (difference: TimeZoneDifference) => void
  /** Called if an unchecked zone is met. */
  readonly onDue: () => void
  readonly now: Clock
}) {
  const { onDifference, onDue, now } = options
  const verdicts = new Map<string, Verdict>()

  return {
    /** The fault of the name; undefined if none was found. */
    faultOf(timeZone: string): string | undefined {
      const known = verdicts.get(timeZone)
      if (known !== undefined) return known.fault
      const fault = timeZoneFault(timeZone)
      if (verdicts.size >= MAX_ZONES) verdicts.clear()
      verdicts.set(timeZone, { fault, dueAt: fault === undefined ? now() : Infinity })
      if (fault === undefined) onDue()
      return fault
    },
    /** Checks the zones that are due. @throws what `read` throws; earlier verdicts stay valid */
    async check(read: ReadRows): Promise<void> {
      const due = [...verdicts].flatMap(([zone, { dueAt }]) => (dueAt <= now() ? [zone] : []))
      if (due.length === 0) return
      const instants = instantsAround(now())
      const names = due.map(zone => zone.toLowerCase())
      const values = [textArray(names), textArray(instants)]
      const rows = await read({ text: OFFSETS, values, before: [TIMEOUT] })
      const offsets = new Map(rows.map(([name, minutes]) => [name, minutes ?? '']))
      for (const timeZone of due) {
        const minutes = offsets.get(timeZone.toLowerCase())
        const unknown = `time_zone is ${JSON.stringify(timeZone)}, which PostgreSQL does not know, ${EXPECTED}`
        const fault = minutes === undefined ? unknown : undefined
        verdicts.set(timeZone, { fault, dueAt: now() + RECHECK_MS })
        const difference =
          minutes && differenceIn(timeZone, instants, minutes.split(',').map(Number))
        if (difference) onDifference(difference)
      }
    },
  }
}

/**
 * why: reports use `at time zone`, which reads `CET` as an abbreviation without daylight saving time, unlike the view's
 * `utc_offset`
 */
const OFFSETS = `select lower(zones.name), (
  select string_agg((extract(epoch from (at at time zone zones.name) - (at at time zone 'UTC')) / 60)::text, ',' order by at)
  from unnest($2::timestamptz[]) as at
)
from pg_timezone_names as zones
where lower(zones.name) = any ($1::text[])`

function instantsAround(nowMs: Milliseconds): Instant[] {
  const now = new Date(nowMs)
  const months = Array.from({ length: MONTHS_BEFORE + MONTHS_AFTER }, (_, at) => at - MONTHS_BEFORE)
  return months.map(month =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 15, 12)).toISOString(),
  )
}

function differenceIn(
  timeZone: string,
  instants: readonly Instant[],
  databaseMinutes: readonly number[],
): TimeZoneDifference | undefined {
  const all = instants.map((at, index) => {
    const runtimeMinutes = utcOffsetOf(Date.parse(at), timeZone)
    return { timeZone, at, databaseMinutes: databaseMinutes[index]!, runtimeMinutes }
  })
  return all.find(one => one.databaseMinutes !== one.runtimeMinutes)
}
