/**
 * Checks that PostgreSQL knows a time zone and gives it the same offsets as this runtime. A zone is checked when it is
 * new, and again every hour, because tzdata are updated. Before the check, the verdict of this runtime is used.
 */
import { LRUCache } from 'lru-cache'
import { utcOffsetOf } from '../../definitions/calendar.ts'
import { EXPECTED, timeZoneFault } from '../../definitions/time-zone-name.ts'
import type { Clock, Instant, Milliseconds, RawField } from '../../model/terms.ts'

/** Executes a statement on a connection of the caller. @throws what pg or the transport reports. */
export type AskRows = (
  text: string,
  values: readonly string[],
) => Promise<ReadonlyArray<readonly RawField[]>>

/** A `text[]` literal. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map(text => `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`).join(',')}}`
}

/** PostgreSQL and this runtime know the zone, but their offsets in minutes differ at an instant. */
export interface TimeZoneDifference {
  readonly timeZone: string
  readonly at: Instant
  readonly databaseMinutes: number
  readonly runtimeMinutes: number
}

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
const AT_ONCE: Milliseconds = -Infinity
const NEVER: Milliseconds = Infinity

export function createTimeZoneChecks(options: {
  readonly onDifference: (difference: TimeZoneDifference) => void
  readonly now: Clock
}) {
  const { onDifference, now } = options
  const verdicts = new LRUCache<string, Verdict>({ max: MAX_ZONES })

  function verdictOf(timeZone: string): Verdict {
    const known = verdicts.peek(timeZone)
    if (known !== undefined) return known
    const fault = timeZoneFault(timeZone)
    const verdict = { fault, dueAt: fault === undefined ? AT_ONCE : NEVER }
    verdicts.set(timeZone, verdict)
    return verdict
  }

  return {
    /** The fault of the name; undefined if none was found. */
    faultOf: (timeZone: string): string | undefined => verdictOf(timeZone).fault,
    /** Whether the zone needs its first check. */
    isNew: (timeZone: string): boolean => verdictOf(timeZone).dueAt === AT_ONCE,
    /** Time zones whose check is due, without duplicates. */
    due: (timeZones: readonly string[]): string[] =>
      [...new Set(timeZones)].filter(timeZone => verdictOf(timeZone).dueAt <= now()),
    /** Checks these time zones. @throws what `ask` throws; earlier verdicts stay valid. */
    async check(timeZones: readonly string[], ask: AskRows): Promise<void> {
      const instants = instantsAround(now())
      const lowerCase = timeZones.map(timeZone => timeZone.toLowerCase())
      const rows = await ask(OFFSETS, [textArray(lowerCase), textArray(instants)])
      const offsets = new Map(rows.map(([name, minutes]) => [name, minutes ?? '']))
      for (const timeZone of timeZones) {
        const minutes = offsets.get(timeZone.toLowerCase())
        const unknown = `time_zone is ${JSON.stringify(timeZone)}, which PostgreSQL does not know, ${EXPECTED}`
        // why: concurrent look-ups may check the same zone
        const isDue = verdictOf(timeZone).dueAt <= now()
        const fault = minutes === undefined ? unknown : undefined
        verdicts.set(timeZone, { fault, dueAt: now() + RECHECK_MS })
        if (minutes === undefined || !isDue) continue
        const difference = differenceIn(timeZone, instants, minutes.split(',').map(Number))
        if (difference !== undefined) onDifference(difference)
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
  for (const [index, at] of instants.entries()) {
    const runtimeMinutes = utcOffsetOf(Date.parse(at), timeZone)
    const ofDatabase = databaseMinutes[index]!
    if (ofDatabase !== runtimeMinutes) {
      return { timeZone, at, databaseMinutes: ofDatabase, runtimeMinutes }
    }
  }
  return undefined
}
