/**
 * Whether PostgreSQL knows a time zone that this runtime knows, and agrees about it. Asked when a zone is first met,
 * and again an hour later: tzdata are updated.
 */
import { LRUCache } from 'lru-cache'
import { offsetOf } from '../definitions/calendar.ts'
import { EXPECTED, timeZoneFault } from '../definitions/time-zone-name.ts'
import type { Clock, Instant, Milliseconds } from '../terms.ts'
import { textArray } from './ask-rows.ts'
import type { AskRows } from './ask-rows.ts'

/** Resolves to what is wrong with each name that is wrong. @throws what `ask` throws. */
export type FaultsOfTimeZones = (
  timeZones: readonly string[],
  ask: AskRows,
) => Promise<(timeZone: string) => string | undefined>

/** Both know the zone, and give it other minutes ahead of UTC at an instant. */
export interface TimeZoneDifference {
  readonly timeZone: string
  readonly at: Instant
  readonly databaseMinutes: number
  readonly runtimeMinutes: number
}

/** More than there are names. */
const MAX_ZONES = 1000
const RECHECK_MS: Milliseconds = 60 * 60_000
/** Months around now in which offsets are compared. */
const MONTHS_BEFORE = 24
const MONTHS_AFTER = 12
const NO_FAULT = ''

export function createTimeZoneChecks(options: {
  readonly onDifference: (difference: TimeZoneDifference) => void
  readonly now: Clock
}): FaultsOfTimeZones {
  const { onDifference, now } = options
  const faults = new LRUCache<string, string>({ max: MAX_ZONES, ttl: RECHECK_MS })

  async function askFor(timeZones: readonly string[], ask: AskRows): Promise<void> {
    const instants = instantsAround(now())
    const lowerCase = timeZones.map(timeZone => timeZone.toLowerCase())
    const rows = await ask(OFFSETS, [textArray(lowerCase), textArray(instants)])
    const offsets = new Map(rows.map(([name, minutes]) => [name, minutes ?? '']))
    for (const timeZone of timeZones) {
      const minutes = offsets.get(timeZone.toLowerCase())
      const fault = `time_zone is ${JSON.stringify(timeZone)}, which PostgreSQL does not know, ${EXPECTED}`
      // why: look-ups in flight together may meet a zone at the same time
      const isChecked = faults.get(timeZone) !== undefined
      faults.set(timeZone, minutes === undefined ? fault : NO_FAULT)
      if (minutes === undefined || isChecked) continue
      const difference = differenceIn(timeZone, instants, minutes.split(',').map(Number))
      if (difference !== undefined) onDifference(difference)
    }
  }

  return async (timeZones, ask) => {
    const unknown = new Set<string>()
    for (const timeZone of timeZones) {
      if (faults.get(timeZone) !== undefined) continue
      const fault = timeZoneFault(timeZone)
      if (fault === undefined) unknown.add(timeZone)
      else faults.set(timeZone, fault)
    }
    if (unknown.size > 0) await askFor([...unknown], ask)
    return timeZone => faults.get(timeZone) || undefined
  }
}

/**
 * why: `at time zone` is what reports use, and takes `CET` for an abbreviation without summer time, while the view's
 * own `utc_offset` is the zone's
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
    const runtimeMinutes = offsetOf(Date.parse(at), timeZone)
    const ofDatabase = databaseMinutes[index]!
    if (ofDatabase !== runtimeMinutes) {
      return { timeZone, at, databaseMinutes: ofDatabase, runtimeMinutes }
    }
  }
  return undefined
}
