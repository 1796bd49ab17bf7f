/**
 * Whether PostgreSQL knows the time zones of organizations and gives them the same offsets as this runtime. A request
 * uses the last verdict.
 */
import { utcOffsetOf } from '../../definitions/calendar.ts'
import { EXPECTED, timeZoneFault } from '../../definitions/time-zone-name.ts'
import type { Fact } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { ReadRows } from '../database/connection.ts'

/** PostgreSQL and this runtime know the zone, but their offsets in minutes differ at an instant. */
export type TimeZoneDifference = Omit<Fact<'time-zone-differs'>, 'kind'>

/** More than there are time zone names. */
const MAX_ZONES = 1000
/** why: tzdata are updated; the list costs 50 ms of the server's CPU */
const LIST_EVERY_MS: Milliseconds = 60 * 60_000
const DAY_MS: Milliseconds = 24 * 60 * 60_000
/** Offsets are compared at these instants around now: two years before to one year after. */
const INSTANTS = Array.from({ length: 37 }, (_, at) => (at - 24) * 30 * DAY_MS)
const before = ['set local statement_timeout = 500']

/**
 * The first instant of each zone at which the offsets differ.
 * why: reports use `at time zone`, which reads `CET` as an abbreviation without daylight saving time, unlike the
 * `utc_offset` of the view
 */
const DIFFERENCES = `
select distinct on (zone) zone, at, minutes, runtime
from unnest($1::text[], $2::text[], $3::numeric[]) as offsets (zone, at, runtime),
  extract(epoch from (at::timestamptz at time zone zone) - (at::timestamptz at time zone 'UTC')) as seconds,
  round(seconds / 60, 3) as minutes
where minutes <> round(runtime, 3)
order by zone, at`

export function createTimeZones() {
  /** In lower case; undefined while no list could be read. */
  let known: ReadonlySet<string | null | undefined> | undefined
  let listedAt = -Infinity
  /** What is wrong with each zone for this runtime. */
  const faults = new Map<string, string | undefined>()
  const compared = new Set<string>()

  /** Undefined if nothing is wrong, or PostgreSQL was not asked yet. */
  function faultOf(timeZone: string): string | undefined {
    if (!faults.has(timeZone)) {
      if (faults.size >= MAX_ZONES) faults.clear()
      faults.set(timeZone, timeZoneFault(timeZone))
    }
    const fault = faults.get(timeZone)
    if (fault !== undefined || known === undefined || known.has(timeZone.toLowerCase()))
      return fault
    return `time_zone is ${JSON.stringify(timeZone)}, which PostgreSQL does not know, ${EXPECTED}`
  }

  return {
    faultOf,
    /** Compares the zones that `faultOf` was asked for since the last time; every hour all. @throws what `read` throws */
    async compare(read: ReadRows, nowMs: Milliseconds): Promise<TimeZoneDifference[]> {
      if (nowMs - listedAt >= LIST_EVERY_MS) {
        const names = await read({ text: 'select lower(name) from pg_timezone_names', before })
        known = new Set(names.map(([name]) => name))
        listedAt = nowMs
        compared.clear()
      }
      const zones = [...faults.keys()].filter(one => !compared.has(one) && !faultOf(one))
      if (zones.length === 0) return []
      const instants = INSTANTS.map(after => nowMs + after)
      const offsets = zones.map(zone => instants.map(at => utcOffsetOf(at, zone)))
      const values = [
        zones.flatMap(zone => INSTANTS.map(() => zone)),
        zones.flatMap(() => instants.map(at => new Date(at).toISOString())),
        offsets.flat(),
      ].map(texts => `{${texts.join(',')}}`)
      const rows = await read({ text: DIFFERENCES, values, before })
      for (const zone of zones) compared.add(zone)
      return rows.map(([timeZone, at, ...minutes]) => {
        const [databaseMinutes = 0, runtimeMinutes = 0] = minutes.map(Number)
        return { timeZone: timeZone!, at: at!, databaseMinutes, runtimeMinutes }
      })
    },
  }
}
