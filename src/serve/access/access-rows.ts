/**
 * Organizations of key hashes, read from the rows of the access query, some of which are not valid, and what is known of their
 * time zones. Knows no pg.
 */
import { LRUCache } from 'lru-cache'
import type { Catalog } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { utcOffsetOf } from '../../definitions/calendar.ts'
import { currencyIn, type Product } from '../../definitions/product.ts'
import { idTypeFault } from '../../definitions/statement.ts'
import { EXPECTED, timeZoneFault } from '../../definitions/time-zone-name.ts'
import { cutText } from '../../model/cut-text.ts'
import type { Organization, RawField, Clock, Milliseconds } from '../../model/terms.ts'
import type { QueryRows } from '../database/connection.ts'
import type { Fact, Observe } from '../../model/observation.ts'
import { readableCatalog, type ReadableCatalog } from './readable-catalog.ts'

/** SHA-256 of a key, in lower-case hex. */
export type KeyHash = string

export class InvalidAccessRow extends Error {
  override readonly name = 'InvalidAccessRow'
  /** In the file of the query. */
  readonly finding: FileFinding
  /** The organization's; undefined if the row has none. */
  readonly id: string | undefined
  /** The invalid value and the expected one. */
  readonly found: string
  /** Such as `organization "1"`. */
  readonly subject: string

  constructor(file: string, id: string | undefined, found: string) {
    const subject = id === undefined ? 'an organization' : `organization ${JSON.stringify(id)}`
    super(`${file}: ${subject}: ${found}`)
    this.subject = subject
    this.finding = { file, line: undefined, message: `${subject}: ${found}` }
    this.id = id
    this.found = found
  }
}

const RECENT_MS: Milliseconds = 60_000
/** More organizations are neither reported nor counted. */
const MAX_ORGANIZATIONS = 100

export type InvalidAccessRows = ReturnType<typeof createInvalidAccessRows>

/** Reports each organization with an invalid row once a minute. */
export function createInvalidAccessRows(observe: Observe, now: Clock) {
  const recent = new LRUCache<string, true>({
    max: MAX_ORGANIZATIONS,
    ttl: RECENT_MS,
    ttlResolution: 0,
    perf: { now },
  })
  return {
    note(row: InvalidAccessRow): void {
      const { subject, id } = row
      if (recent.has(subject) || this.count() === MAX_ORGANIZATIONS) return
      recent.set(subject, true)
      observe({ kind: 'access-row-rejected', organizationId: id, error: row })
    },
    /** Organizations reported in the last minute. */
    count(): number {
      recent.purgeStale()
      return recent.size
    },
  }
}

/** The organization of a key, and what the key may read. */
export interface Reader extends Organization {
  readonly catalog: ReadableCatalog
}

/** Contains only valid keys. */
export type OrganizationsByKey = ReadonlyMap<KeyHash, Reader | InvalidAccessRow>

/** The hash of no key. */
export const HASH_OF_NO_KEY: KeyHash = '00'.repeat(32)

/** @param timeZoneFault as of `readOrganization` @throws as `QueryRows` */
export function organizationsByKey(
  read: QueryRows,
  catalog: Catalog,
  hashes: readonly KeyHash[],
  timeZoneFault: (timeZone: string) => string | undefined,
): Promise<OrganizationsByKey> {
  const { file, text, version } = catalog.access
  // why: pg would serialize Buffers one by one
  const values = [`{${hashes.map(hash => `"\\\\x${hash}"`).join(',')}}`]
  // why: prepared statements stay on the connection by name; another text needs another name
  return read({ text, values, name: `organization_by_key_${version}` }).then(rows => {
    const found = new Map<KeyHash, Reader | InvalidAccessRow>()
    for (const [hash, ...columns] of rows) {
      const reader = withCatalog(
        readOrganization(file, columns, timeZoneFault, catalog.product),
        catalog,
        columns,
      )
      const first = found.get(hash ?? '')
      if (first === undefined) found.set(hash ?? '', reader)
      else {
        // why: a key with rows of two organizations is invalid for both
        const fault = `two rows for one key, the other with ${JSON.stringify(reader.id)}, expected one`
        found.set(hash ?? '', new InvalidAccessRow(file, first.id, fault))
      }
    }
    return found
  })
}

function withCatalog(
  organization: Organization | InvalidAccessRow,
  whole: Catalog,
  [, , , , , , reports = null, parameters = null]: readonly RawField[],
): Reader | InvalidAccessRow {
  if (organization instanceof InvalidAccessRow) return organization
  const catalog = readableCatalog(whole, [reports, parameters])
  if (typeof catalog !== 'string') return Object.assign(organization, { catalog })
  return new InvalidAccessRow(whole.access.file, organization.id, catalog)
}

/** Characters: the name is a part of every cache key of its organization. */
const MAX_NAME = 200

/**
 * Reads a row of the access query, or of the query of organizations.
 * @param file for messages
 * @param row the columns of `AccessDefinition.text` after the hash
 * @param timeZoneFault why a text is no time zone; undefined if it is one
 */
export function readOrganization(
  file: string,
  [id, idType, timeZone, entitled, name, currency]: ReadonlyArray<RawField | undefined>,
  timeZoneFault: (timeZone: string) => string | undefined,
  product: Product,
): Organization | InvalidAccessRow {
  if (id == null)
    return new InvalidAccessRow(file, undefined, 'organization_id is null, expected an id')
  const zoneFault =
    timeZone == null ? 'time_zone is null, expected an IANA name' : timeZoneFault(timeZone)
  // why: a line feed separates it from others in keys of responses
  const idFault = /\p{Cc}/u.test(id)
    ? 'organization_id has a control character, expected none'
    : undefined
  const currencyFault =
    currency == null || currencyIn(product, currency) !== undefined
      ? undefined
      : `currency is ${JSON.stringify(currency)}, expected a code of ISO 4217 such as EUR, or the product's`
  const fault = idTypeFault(idType!) ?? idFault ?? zoneFault ?? currencyFault
  if (fault !== undefined) return new InvalidAccessRow(file, id, fault)
  return {
    id,
    idType: idType!,
    timeZone: timeZone!,
    entitled: entitled === 't',
    name: (name && cutText(name.trim(), MAX_NAME)) || undefined,
    currency: currency ?? undefined,
  }
}

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

/**
 * Whether PostgreSQL knows the time zones of organizations and gives them the same offsets as this runtime. A request uses the
 * last verdict.
 */
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
    async compare(read: QueryRows, nowMs: Milliseconds): Promise<TimeZoneDifference[]> {
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
