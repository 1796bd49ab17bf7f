/**
 * What is wrong with organizations that access queries find, as far as a database can tell. A check that fails or
 * is slow fails no look-up: the last verdict holds, of a time zone at least this runtime's, and the failure is
 * observed. Knows no connection.
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

/** A row as the access query, or that of organizations, gives it. */
interface AccessRow {
  readonly id: string | null
  readonly idType: string
  readonly timeZone: string | null
  readonly entitled: boolean
}

/** What a row says without a database. @param file that messages name */
export function readOrganization(file: string, row: AccessRow): Organization | InvalidAccessRow {
  const { id, timeZone } = row
  if (id === null)
    return new InvalidAccessRow(file, undefined, 'organization_id is null, expected an id')
  if (timeZone === null)
    return new InvalidAccessRow(file, id, 'time_zone is null, expected an IANA name')
  return { ...row, id, timeZone }
}

export function createOrganizationChecks(options: {
  readonly onDifference: (difference: TimeZoneDifference) => void
  readonly now: Clock
}) {
  const ids = createIdChecks()
  const timeZones = createTimeZoneChecks(options)
  return {
    ids,
    timeZones,
    /** The organization, unless something is wrong with it as far as was checked. @param file that messages name */
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

/** A look-up waits so long for a time zone that is new, and PostgreSQL works so long on it. */
export const MAX_TIME_ZONES_MS: Milliseconds = 500
/** After a failure. */
const AGAIN_MS: Milliseconds = 60_000

export function createLookUpChecks(options: {
  readonly askIds: AskRows
  /** Ends within `MAX_TIME_ZONES_MS` on the server. */
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
      // why: what it finds later still counts
      await raceTimeout(
        maxMs,
        checking().then(() => void failures.delete(check)),
      )
    } catch (error) {
      // why: reports must not bind an id that another try can check
      if (check === 'ids' && classify(error).remedy === 'transport') throw error
      const message = error instanceof Error ? error.message : String(error)
      failures.set(check, { message, pausedUntil: now() + AGAIN_MS })
      if (!last) observe({ kind: 'access-check-failed', check, error })
    }
  }

  return {
    ...checks,
    /** Why organizations cannot be checked now, in words. */
    failure(): string | undefined {
      const words = Array.from(
        failures,
        ([check, { message }]) => `${check} not checked: ${message}`,
      )
      return words.toSorted().join('; ') || undefined
    },
    /** @throws what breaks a connection while ids are asked for that are new. */
    async check(organizations: readonly Organization[]): Promise<void> {
      const unknown = ids.due(organizations)
      if (unknown.length > 0) await attempt('ids', () => ids.check(unknown, askIds))
      const due = timeZones.due(organizations.map(({ timeZone }) => timeZone))
      if (due.length === 0) return
      // why: the verdict of an hour ago serves until the next is there
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

/** Whether an id is the same after it has been a text: reports bind it as one. Asks once for each. */
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
    /** What is wrong with the id, as far as is known. */
    faultOf: (organization: Id): string | undefined =>
      faults.peek(keyOf(organization)) || undefined,
    /** Those that were not checked yet. */
    due: (organizations: readonly Id[]): Id[] =>
      organizations.filter(organization => faults.get(keyOf(organization)) === undefined),
    /** @throws what `ask` throws, but for values. */
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

/** Classes 22 and 23: a value that the type does not take. */
function isOfValue(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}
