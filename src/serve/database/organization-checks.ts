/**
 * Checks ids and time zones of organizations in the database. If a check fails or is slow, look-ups use the last
 * verdict; for a new time zone, that of this runtime. The failure is observed. Knows no connection.
 */
import { LRUCache } from 'lru-cache'
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import { idTypeFault } from '../../definitions/id-type.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import { classify } from './classify-error.ts'
import { raceTimeout } from './connection.ts'
import { createTimeZoneChecks, textArray } from './time-zone-checks.ts'
import type { AskRows, TimeZoneDifference } from './time-zone-checks.ts'

/** A row of the access query or of the query of organizations. */
interface AccessRow {
  readonly id: string | null
  readonly idType: string
  readonly timeZone: string | null
  /** `t`, `f` or null. */
  readonly entitled: string | null
  /** Null or undefined if the query does not select it. */
  readonly name?: string | null | undefined
}

/** Checks a row without a database. @param file for messages */
export function readOrganization(file: string, row: AccessRow): Organization | InvalidAccessRow {
  const { id, idType, timeZone, entitled } = row
  if (id === null)
    return new InvalidAccessRow(file, undefined, 'organization_id is null, expected an id')
  if (timeZone === null)
    return new InvalidAccessRow(file, id, 'time_zone is null, expected an IANA name')
  if (entitled !== null && entitled !== 't' && entitled !== 'f')
    return new InvalidAccessRow(
      file,
      id,
      `entitled is ${JSON.stringify(entitled)}, expected a boolean`,
    )
  const organization = { id, idType, timeZone, entitled: entitled === 't' }
  const name = row.name?.trim().slice(0, MAX_NAME)
  return name ? { ...organization, name } : organization
}

/** Characters: the name is a part of every cache key of its organization. */
const MAX_NAME = 200

export function createOrganizationChecks(options: {
  readonly onDifference: (difference: TimeZoneDifference) => void
  readonly now: Clock
}) {
  const ids = createIdChecks()
  const timeZones = createTimeZoneChecks(options)
  return {
    ids,
    timeZones,
    /** The organization, or its fault if a check has found one. @param file for messages */
    checked<O extends Organization>(
      file: string,
      found: O | InvalidAccessRow,
    ): O | InvalidAccessRow {
      if (found instanceof InvalidAccessRow) return found
      const fault = ids.faultOf(found) ?? timeZones.faultOf(found.timeZone)
      return fault === undefined ? found : new InvalidAccessRow(file, found.id, fault)
    },
  }
}

/** Longest wait of a look-up for the check of a new time zone, also the statement timeout. */
export const MAX_TIME_ZONES_MS: Milliseconds = 500
/** Pause after a failure. */
const RETRY_MS: Milliseconds = 60_000

export function createLookUpChecks(options: {
  readonly askIds: AskRows
  /** With a statement timeout of `MAX_TIME_ZONES_MS`. */
  readonly askTimeZones: AskRows
  readonly observe: Observe
  readonly now: Clock
}) {
  const { askIds, askTimeZones, observe, now } = options
  const { ids, timeZones, ...checks } = createOrganizationChecks({
    onDifference: difference => observe({ kind: 'time-zone-differs', ...difference }),
    now,
  })
  const failures = new Map<'ids' | 'time zones', { message: string; pausedUntil: Milliseconds }>()

  async function attempt(
    check: 'ids' | 'time zones',
    checking: () => Promise<void>,
    maxMs = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const last = failures.get(check)
    if (last && now() < last.pausedUntil) return
    try {
      // why: a late result is still stored
      await raceTimeout(
        maxMs,
        checking().then(() => void failures.delete(check)),
      )
    } catch (error) {
      // why: a retry can check the id, and reports must not bind an unchecked one
      if (check === 'ids' && classify(error).remedy === 'transport') throw error
      const message = error instanceof Error ? error.message : String(error)
      // why: another look-up may have failed meanwhile
      const isFirst = !failures.has(check)
      failures.set(check, { message, pausedUntil: now() + RETRY_MS })
      if (isFirst) observe({ kind: 'access-check-failed', check, error })
    }
  }

  return {
    ...checks,
    /** Why organizations cannot be checked now. */
    failure(): string | undefined {
      const words = Array.from(
        failures,
        ([check, { message }]) => `${check} not checked: ${message}`,
      )
      return words.toSorted().join('; ') || undefined
    },
    /** @throws a transport error while new ids are checked. */
    async check(organizations: readonly Organization[]): Promise<void> {
      const unknown = ids.due(organizations)
      if (unknown.length > 0) await attempt('ids', () => ids.check(unknown, askIds))
      const due = timeZones.due(organizations.map(({ timeZone }) => timeZone))
      if (due.length === 0) return
      // why: an old verdict is used until the recheck ends
      const isAwaited = due.some(timeZone => timeZones.isNew(timeZone))
      const checking = (): Promise<void> => timeZones.check(due, askTimeZones)
      const checked = attempt('time zones', checking, MAX_TIME_ZONES_MS)
      if (isAwaited) await checked
    },
  }
}

type Id = Pick<Organization, 'id' | 'idType'>

const MAX_IDS = 10_000
const NO_FAULT = ''

/** Checks each id once: reports bind text, so conversion to the type and back must not change the text. */
function createIdChecks() {
  const faults = new LRUCache<string, string>({ max: MAX_IDS })

  async function checkType(idType: string, ids: readonly string[], ask: AskRows): Promise<void> {
    const note = (id: string, fault: string): void => void faults.set(keyOf({ id, idType }), fault)
    const ofType = idTypeFault(idType)
    if (ofType !== undefined) return ids.forEach(id => note(id, `organization_id: ${ofType}`))
    try {
      const text = `select id, (id::${idType})::text from unnest($1::text[]) as id`
      const rows = await ask(text, [textArray(ids)])
      for (const [id, readBack] of rows) note(id ?? '', faultOf(idType, id, readBack))
    } catch (error) {
      if (!isOfValue(error)) throw error
      const [only] = ids
      if (ids.length > 1) for (const id of ids) await checkType(idType, [id], ask)
      else note(only!, faultOf(idType, only, `an error: ${(error as Error).message}`))
    }
  }

  return {
    /** The fault of the id; undefined if none was found. */
    faultOf: (organization: Id): string | undefined =>
      faults.peek(keyOf(organization)) || undefined,
    /** Organizations whose ids were not checked. */
    due: (organizations: readonly Id[]): Id[] =>
      organizations.filter(organization => faults.get(keyOf(organization)) === undefined),
    /** @throws what `ask` throws, except errors about values. */
    async check(organizations: readonly Id[], ask: AskRows): Promise<void> {
      const ids = new Map<string, Set<string>>()
      for (const { id, idType } of organizations) {
        ids.set(idType, (ids.get(idType) ?? new Set()).add(id))
      }
      for (const [idType, ofType] of ids) await checkType(idType, [...ofType], ask)
    },
  }
}

function keyOf({ id, idType }: Id): string {
  return `${idType} ${id}`
}

function faultOf(idType: string, id: string | null | undefined, readBack: unknown): string {
  if (id === readBack) return NO_FAULT
  const found = `${JSON.stringify(id)}::${idType}::text is ${JSON.stringify(readBack)}`
  return `organization_id: ${found}, expected the same text`
}

/** SQLSTATE classes 22 and 23: the type rejects the value. */
function isOfValue(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}
