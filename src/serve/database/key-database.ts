/**
 * Looks up key hashes on a separate pool, so that a saturated report pool does not delay them. The query is
 * prepared by name, because every request executes it.
 */
import type { KeyHash } from '../access/api-key.ts'
import { InvalidAccessRow, isValidRow } from '../access/invalid-access-row.ts'
import type { FindOrganizations, OrganizationsByKey } from '../access/organization-lookup.ts'
import type { AccessDefinition, OrganizationsDefinition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { idTypeFault } from '../../definitions/id-type.ts'
import type { PoolUse } from '../../model/gauges.ts'
import type { Clock, Milliseconds, Organization, RawField } from '../../model/terms.ts'
import { checkAccessColumns, type AccessColumns } from './access-columns.ts'
import { isAnotherServer } from './classify-error.ts'
import { destroyConnection, withConnection } from './connection.ts'
import type { KeyLag } from './key-lag.ts'
import { createLookUpChecks, MAX_TIME_ZONES_MS, readOrganization } from './organization-checks.ts'
import { createPool, isInRecovery } from './pool.ts'
import type { ServerOptions } from './pool.ts'
import { isPreparedStatementError } from './prepared.ts'
import { readOnlyRows } from './row-query.ts'
import type { ShortQuery } from './row-query.ts'

export interface KeyDatabase {
  /** @throws what pg or the transport reports, the time-out, KeysLagError. */
  readonly find: FindOrganizations
  /** Checks the columns of the access query and the type of the id. Looks up no key. @throws as `find` */
  checkAccess(access: AccessDefinition): Promise<AccessCheck>
  /**
   * Checks the columns of the command line's file; if they are valid, checks that its rows have known time zones.
   * @returns findings about columns, or at most 20 about time zones
   * @throws as `find`
   */
  checkOrganizations(file: OrganizationsDefinition): Promise<readonly FileFinding[]>
  /** Connects, without a look-up. @throws as `find` */
  reach(): Promise<void>
  /** Closes idle connections. */
  dropIdle(): void
  /** Why found organizations cannot be checked now. */
  checkFailure(): string | undefined
  pool(): PoolUse
  close(): Promise<void>
}

export interface AccessCheck extends AccessColumns {
  /** PostgreSQL type of an organization's id, such as `uuid`. Undefined if there are findings. */
  readonly idType: string | undefined
}

const MAX_FINDINGS = 20
/** Each time zone with one of its organizations, for messages. */
const EACH_TIME_ZONE = 'select min(organization_id), min(organization_id_type), time_zone'
// why: there are about 600 valid names, but every row may have a different invalid one
const FIRST_OF_EACH = 'group by time_zone order by time_zone nulls first limit 1000'
/** PostgreSQL's prefix of the hexadecimal format. */
const BYTEA = '\\x'
const TIME_ZONES_TIMEOUT = `set local statement_timeout = ${MAX_TIME_ZONES_MS}`

export interface KeyDatabaseOptions extends ServerOptions {
  readonly poolSize: number
  readonly timeoutMs: Milliseconds
  /** Checks the lag of the server; if undefined, look-ups are always valid. */
  readonly lag?: KeyLag
  /** The access definition in use. */
  readonly access: () => AccessDefinition
  readonly now: Clock
}

export function createKeyDatabase(options: KeyDatabaseOptions): KeyDatabase {
  const { timeoutMs, lag, observe, now } = options
  const checks = createLookUpChecks({
    askIds: (text, values) => ask({ text, values }),
    askTimeZones: (text, values) => ask({ text, values, before: [TIME_ZONES_TIMEOUT] }),
    observe,
    now,
  })
  const pool = createPool({
    ...options,
    name: 'keys',
    max: options.poolSize,
    accept: (server, client) => lag?.connected(server, client),
  })

  /** @param isLookUp true: the lag limit applies */
  function ask(query: ShortQuery, isLookUp = false): Promise<RawField[][]> {
    const startedAt = now()
    return withConnection(pool, async client => {
      observe({ kind: 'connection-acquired', pool: 'keys', durationMs: now() - startedAt })
      if (isLookUp) lag?.check(client, pool.dropIdle)
      // why: a pooler is detected only after connecting
      const name = query.name === undefined ? undefined : pool.nameOf(query.name)
      try {
        const guard = isLookUp ? lag?.guardOf(client) : undefined
        const before = query.before ?? (guard === undefined ? [] : [guard])
        return await readOnlyRows(client, timeoutMs, { ...query, name, before })
      } catch (error) {
        if (isAnotherServer(error)) lag?.statementFailed(error)
        // why: its other prepared statements may be stale, too
        if (isPreparedStatementError((error as { code?: string }).code)) destroyConnection(client)
        throw error
      }
    })
  }

  async function lookUp(
    { text, version }: AccessDefinition,
    hashes: readonly KeyHash[],
  ): Promise<RawField[][]> {
    const query = { text, values: [byteaArray(hashes)] }
    try {
      // why: prepared statements stay on the connection by name; another text needs another name
      return await ask({ ...query, name: `organization_by_key_${version}` }, true)
    } catch (error) {
      const { code } = error as { code?: string }
      if (!isPreparedStatementError(code)) throw error
      pool.refused(code)
      // why: the prepared statement may be stale on every other connection, too
      return ask(query, true)
    }
  }

  async function find(hashes: readonly KeyHash[]): Promise<OrganizationsByKey> {
    const access = options.access()
    const { file } = access
    const found = new Map<KeyHash, Organization | InvalidAccessRow>()
    const organizations: Organization[] = []
    let withoutHash: InvalidAccessRow | undefined
    // The columns are in the order of `AccessDefinition.text`.
    for (const [hash, id = null, idType, timeZone = null, entitled = null, name] of await lookUp(
      access,
      hashes,
    )) {
      const row = { id, idType: idType ?? '', timeZone, entitled, name }
      const organization = readOrganization(file, row)
      if (!(organization instanceof InvalidAccessRow)) organizations.push(organization)
      if (hash?.startsWith(BYTEA)) {
        const key = hash.slice(BYTEA.length)
        found.set(key, ambiguous(file, found.get(key), organization))
      } else withoutHash ??= noHash(file, organization, hash ?? null)
    }
    await checks.check(organizations)
    for (const [hash, row] of found) found.set(hash, checks.checked(file, row))
    // why: a row without a hash may belong to any key that was not found
    if (withoutHash) for (const hash of hashes) if (!found.has(hash)) found.set(hash, withoutHash)
    return found
  }

  return {
    find,
    async checkAccess(access) {
      const checked = await checkAccessColumns(access, ask)
      if (checked.findings.length > 0) return { ...checked, idType: undefined }
      const values = [byteaArray([])]
      const [[idType] = []] = await ask({ text: access.idTypeText, values })
      const fault = idTypeFault(idType ?? '')
      if (fault === undefined) return { ...checked, idType: idType ?? '' }
      const message = `organization_id: ${fault}`
      const finding = { file: access.file, line: undefined, message }
      return { ...checked, findings: [finding], idType: undefined }
    },
    async checkOrganizations(definition) {
      const { findings } = await checkAccessColumns(definition, ask)
      if (findings.length > 0) return findings
      const { file, everyText } = definition
      const text = `${EACH_TIME_ZONE} from (\n${everyText}\n) as organization ${FIRST_OF_EACH}`
      const rows = await ask({ text, before: [TIME_ZONES_TIMEOUT] })
      const found = rows.map(([id = null, idType, timeZone = null]) =>
        readOrganization(file, { id, idType: idType ?? '', timeZone, entitled: 't' }),
      )
      await checks.check(found.filter(isValidRow))
      return found
        .map(row => checks.checked(file, row))
        .flatMap(row => (isValidRow(row) ? [] : [{ file, line: undefined, message: row.fault }]))
        .slice(0, MAX_FINDINGS)
    },
    async reach() {
      await withConnection(pool, client => isInRecovery(client, timeoutMs))
    },
    dropIdle: pool.dropIdle,
    checkFailure: () => checks.failure(),
    pool: pool.use,
    close: () => pool.end(),
  }
}

/** A `bytea[]` literal: pg would serialize the Buffers one by one. */
function byteaArray(hashes: readonly KeyHash[]): string {
  return `{${hashes.map(hash => `"\\\\x${hash}"`).join(',')}}`
}

function idOf(found: Organization | InvalidAccessRow): string | undefined {
  return found instanceof InvalidAccessRow ? found.organizationId : found.id
}

function noHash(
  file: string,
  row: Organization | InvalidAccessRow,
  hash: string | null,
): InvalidAccessRow {
  const found = `key_hash is ${hash === null ? 'null' : 'not bytea'}`
  return new InvalidAccessRow(file, idOf(row), `${found}, expected the SHA-256 hash of a key`)
}

/** A key with rows of two organizations is invalid for both. */
function ambiguous(
  file: string,
  first: Organization | InvalidAccessRow | undefined,
  second: Organization | InvalidAccessRow,
): Organization | InvalidAccessRow {
  if (first === undefined) return second
  const other = JSON.stringify(idOf(second) ?? null)
  return new InvalidAccessRow(
    file,
    idOf(first),
    `two rows for one key, the other with ${other}, expected one`,
  )
}
