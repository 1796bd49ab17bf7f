/**
 * Look-ups of key hashes on connections of their own, never the reports': a saturated report pool
 * leaves them alone. Prepared by name, because it is the statement that every request executes.
 */
import type { KeyHash } from '../access/api-key.ts'
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { FindOrganizations, FoundByKey } from '../access/organization-lookup.ts'
import type { AccessDefinition } from '../../definitions/definition.ts'
import { idTypeFault } from '../../definitions/id-type.ts'
import type { PoolUse } from '../../model/gauges.ts'
import type { Clock, Milliseconds, Organization, RawField } from '../../model/terms.ts'
import { destroyConnection, servers, withConnection } from './connection.ts'
import type { KeyLag } from './key-lag.ts'
import { createLookUpChecks, MAX_TIME_ZONES_MS, readOrganization } from './organization-checks.ts'
import { createPool, isInRecovery } from './pool.ts'
import type { ServerOptions } from './pool.ts'
import { isNotAsPrepared } from './prepared.ts'
import { readOnlyRows } from './row-query.ts'
import type { ShortQuery } from './row-query.ts'

export interface KeyDatabase {
  /** @throws what pg or the transport reports, the time-out, KeysLagError. */
  readonly find: FindOrganizations
  /**
   * The PostgreSQL type of an organization's id: `uuid`, `integer`. Looks up no key.
   * @param access the one in use, unless given
   * @throws as `find`, IdTypeError
   */
  idType(access?: AccessDefinition): Promise<string>
  /** Connects and asks for nothing. @throws as `find` */
  reach(): Promise<void>
  /** Drops the connections that are not used. */
  dropIdle(): void
  /** Why organizations that are found cannot be checked now, in words. */
  checkFailure(): string | undefined
  pool(): PoolUse
  close(): Promise<void>
}

/** Ids of that type cannot be bound as text. */
export class IdTypeError extends Error {
  override readonly name = 'IdTypeError'
  readonly fault: string

  constructor(file: string, fault: string) {
    super(`${file}: organization_id: ${fault}`)
    this.fault = `organization_id: ${fault}`
  }
}

const TIME_ZONES_TIMEOUT = `set local statement_timeout = ${MAX_TIME_ZONES_MS}`

export interface KeyDatabaseOptions extends ServerOptions {
  readonly poolSize: number
  readonly timeoutMs: Milliseconds
  /** Whether a look-up there counts; undefined is always. */
  readonly lag?: KeyLag
  /** The one in use now. */
  readonly access: () => AccessDefinition
  readonly now: Clock
}

export function createKeyDatabase(options: KeyDatabaseOptions): KeyDatabase {
  const { timeoutMs, lag, observe, now } = options
  const checks = createLookUpChecks({
    askIds: (text, values) => ask({ text, values }),
    askTimeZones: (text, values) => ask({ text, values, setLocal: TIME_ZONES_TIMEOUT }),
    observe,
    now,
  })
  const pool = createPool({
    ...options,
    name: 'keys',
    max: options.poolSize,
    accept: server => lag?.connected(server),
  })

  /** @param isLookUp it has to show what the primary has */
  function ask(query: ShortQuery, isLookUp = false): Promise<RawField[][]> {
    const startedAt = now()
    return withConnection(pool, async client => {
      observe({ kind: 'connection-acquired', pool: 'keys', durationMs: now() - startedAt })
      if (isLookUp) lag?.check(servers.get(client)!)
      // why: that it is a pooler's is known once it is connected
      const name = query.name === undefined ? undefined : pool.preparing.nameOf(query.name)
      try {
        return await readOnlyRows(client, timeoutMs, { ...query, name })
      } catch (error) {
        // why: what else it has prepared may be as old
        if (isNotAsPrepared((error as { code?: string }).code)) destroyConnection(client)
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
      // why: a connection keeps what it has prepared under a name; another text needs another
      return await ask({ ...query, name: `organization_by_key_${version}` }, true)
    } catch (error) {
      const { code } = error as { code?: string }
      if (!isNotAsPrepared(code)) throw error
      pool.preparing.refused(code)
      // why: every other connection may have prepared it as long ago
      return ask(query, true)
    }
  }

  async function find(hashes: readonly KeyHash[]): Promise<FoundByKey> {
    const access = options.access()
    const { file } = access
    const found = new Map<KeyHash, Organization | InvalidAccessRow>()
    const organizations: Organization[] = []
    let withoutHash: InvalidAccessRow | undefined
    // The order of `AccessDefinition.text`.
    for (const [hash, id = null, idType, timeZone = null, entitled] of await lookUp(
      access,
      hashes,
    )) {
      const row = { id, idType: idType ?? '', timeZone, entitled: entitled === 't' }
      const organization = readOrganization(file, row)
      if (!(organization instanceof InvalidAccessRow)) organizations.push(organization)
      const key = hash?.slice('\\x'.length)
      if (key === undefined) withoutHash ??= noHash(file, organization)
      else found.set(key, either(file, found.get(key), organization))
    }
    await checks.check(organizations)
    for (const [hash, row] of found) found.set(hash, checks.checked(file, row))
    // why: a row without a hash may be that of any key that has none
    if (withoutHash) for (const hash of hashes) if (!found.has(hash)) found.set(hash, withoutHash)
    return found
  }

  return {
    find,
    async idType({ file, text, idTypeText } = options.access()) {
      const values = [byteaArray([])]
      // why: an error of the look-up, such as a misspelt column, shows without a key, too
      await ask({ text, values })
      const [[idType] = []] = await ask({ text: idTypeText, values })
      const fault = idTypeFault(idType ?? '')
      if (fault !== undefined) throw new IdTypeError(file, fault)
      return idType ?? ''
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

/** As PostgreSQL reads a `bytea[]`: pg would make it of Buffers, one by one. */
function byteaArray(hashes: readonly KeyHash[]): string {
  return `{${hashes.map(hash => `"\\\\x${hash}"`).join(',')}}`
}

function idOf(found: Organization | InvalidAccessRow): string | undefined {
  return found instanceof InvalidAccessRow ? found.organizationId : found.id
}

function noHash(file: string, row: Organization | InvalidAccessRow): InvalidAccessRow {
  return new InvalidAccessRow(
    file,
    idOf(row),
    'key_hash is null, expected the SHA-256 hash of a key',
  )
}

/** A key that names two organizations opens neither. */
function either(
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
