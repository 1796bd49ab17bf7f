/**
 * Look-ups of key hashes on connections of their own, never the reports': a saturated report pool
 * leaves them alone. Prepared by name, because it is the statement that every request runs.
 */
import type { ClientBase } from 'pg'
import type { KeyHash } from '../access/api-key.ts'
import { InvalidAccessRow, isValidRow } from '../access/invalid-access-row.ts'
import type { FindOrganizations, FoundByKey } from '../access/organization-lookup.ts'
import type { AccessDefinition } from '../../definitions/definition.ts'
import { idTypeFault } from '../../definitions/id-type.ts'
import type { PoolUse } from '../../model/gauges.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization, RawField } from '../../model/terms.ts'
import { rawFields } from '../../model/row-bytes.ts'
import type { RowBytes } from '../../model/row-bytes.ts'
import { organizationOf } from './access-row-checks.ts'
import type { KeyLag } from './key-lag.ts'
import { accessRowIn, byteaArray, hashIn } from './key-rows.ts'
import { createLookUpChecks, MAX_TIME_ZONES_MS } from './look-up-checks.ts'
import { unreached } from './classify-error.ts'
import { createPool, idleDropper, isInRecovery, poolUse, within } from './pool.ts'
import type { Server } from './pool.ts'
import { createPreparing, isNotAsPrepared } from './prepared.ts'
import { readOnlyRows } from './read-only-rows.ts'
import type { RoleSettingsError } from './role-settings.ts'
import type { Asked } from './row-query.ts'
import type { Prepared } from './session-settings.ts'

export interface KeyDatabase {
  /** @throws whatever pg or the transport reports, the time-out, KeysLagError. */
  readonly find: FindOrganizations
  /**
   * The PostgreSQL type of an organization's id: `uuid`, `integer`. Looks nobody up.
   * @param access the one in use, unless given
   * @throws as `find`, IdTypeError
   */
  idType(access?: AccessDefinition): Promise<string>
  /** Connects and asks for nothing. @throws as `find` */
  reach(): Promise<void>
  /** Drops the connections that nobody uses. */
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

export function createKeyDatabase(options: {
  readonly connectionString: string
  readonly poolSize: number
  readonly connectTimeoutMs: Milliseconds
  readonly timeoutMs: Milliseconds
  /** `auto` unless given. */
  readonly prepared?: Prepared
  /** Whether a look-up there counts; undefined is always. */
  readonly lag?: KeyLag
  /** @see PoolOptions */
  readonly onRefused?: (error: RoleSettingsError) => void
  /** The one in use now. */
  readonly access: () => AccessDefinition
  readonly observe: Observe
  readonly now: Clock
}): KeyDatabase {
  const { poolSize, timeoutMs, lag, observe, now } = options
  const servers = new WeakMap<ClientBase, Server>()
  const preparing = createPreparing(options.prepared)
  const checks = createLookUpChecks({
    askIds: (text, values) => rows({ text, values }),
    askTimeZones: (text, values) => rows({ text, values, setLocal: TIME_ZONES_TIMEOUT }),
    observe,
    now,
  })
  const pool = createPool({
    ...options,
    name: 'keys',
    max: poolSize,
    accept: (server, client) => {
      preparing.connected(server)
      servers.set(client, server)
      lag?.connected(server)
    },
  })

  /** @param counts whether it is a look-up, which has to show what the primary has */
  async function ask(asked: Asked, heard: (row: RowBytes) => void, counts = false): Promise<void> {
    const startedAt = now()
    const client = await pool.connect().catch((error: unknown) => {
      throw unreached(error)
    })
    observe({ kind: 'connection-acquired', pool: 'keys', durationMs: now() - startedAt })
    try {
      if (counts && lag) await refuseLagging(lag, servers.get(client))
    } catch (refusal) {
      client.release()
      throw refusal
    }
    // why: that it is a pooler's is known once it is connected
    const name = asked.name === undefined ? undefined : preparing.nameOf(asked.name)
    let failure: Error | undefined
    try {
      await within(timeoutMs, client, () => readOnlyRows(client, { ...asked, name }, heard))
    } catch (error) {
      failure = error as Error
      throw error
    } finally {
      client.release(failure)
    }
  }

  async function find(hashes: readonly KeyHash[]): Promise<FoundByKey> {
    const access = options.access()
    // why: a connection keeps what it has prepared under a name; another text needs another
    const name = `organization_by_key_${access.version}`
    try {
      return await findIn(access, name, hashes)
    } catch (error) {
      const { code } = error as { code?: string }
      if (!isNotAsPrepared(code)) throw error
      preparing.refused(code)
      // why: every other connection may have prepared it as long ago
      return findIn(access, undefined, hashes)
    }
  }

  async function findIn(
    { file, text }: AccessDefinition,
    name: string | undefined,
    hashes: readonly KeyHash[],
  ): Promise<FoundByKey> {
    const found = new Map<KeyHash, Organization | InvalidAccessRow>()
    let ofNoKey: InvalidAccessRow | undefined
    await ask(
      { name, text, values: [byteaArray(hashes)], undescribed: true },
      row => {
        const hash = hashIn(row)
        const organization = organizationOf(file, accessRowIn(row))
        if (hash === undefined)
          ofNoKey ??= new InvalidAccessRow(file, idOf(organization), NO_KEY_HASH)
        else found.set(hash, either(file, found.get(hash), organization))
      },
      true,
    )
    await checks.check([...found.values()].filter(isValidRow))
    for (const [hash, organization] of found) {
      const fault = isValidRow(organization) ? checks.faultOf(file, organization) : undefined
      if (fault !== undefined) found.set(hash, fault)
    }
    // why: a row without a hash may be that of any key that has none
    if (ofNoKey) for (const hash of hashes) if (!found.has(hash)) found.set(hash, ofNoKey)
    return found
  }

  async function rows(asked: Omit<Asked, 'name'>): Promise<RawField[][]> {
    const rows: RawField[][] = []
    await ask({ name: undefined, ...asked }, row => void rows.push(rawFields(row)))
    return rows
  }

  return {
    find,
    async idType(access = options.access()) {
      const nobody = [byteaArray([])]
      // why: what a look-up would stumble over, such as a column misspelt, shows without a key, too
      await ask({ name: undefined, text: access.text, values: nobody }, () => undefined)
      const [[idType] = []] = await rows({ text: access.idTypeText, values: nobody })
      const fault = idTypeFault(idType ?? '')
      if (fault !== undefined) throw new IdTypeError(access.file, fault)
      return idType ?? ''
    },
    async reach() {
      const client = await pool.connect()
      try {
        await isInRecovery(client, timeoutMs)
        client.release()
      } catch (error) {
        client.release(error as Error)
        throw error
      }
    },
    dropIdle: idleDropper(pool),
    checkFailure: checks.failure,
    pool: () => poolUse(pool),
    close: () => pool.end(),
  }
}

/** @throws KeysLagError */
async function refuseLagging(lag: KeyLag, server: Server | undefined): Promise<void> {
  if (lag.refusal(server) === undefined) return
  await lag.seen()
  const refusal = lag.refusal(server)
  if (refusal) throw refusal
}

const TIME_ZONES_TIMEOUT = `set local statement_timeout = ${MAX_TIME_ZONES_MS}`

const NO_KEY_HASH = 'key_hash is null, expected the SHA-256 hash of a key'

function idOf(found: Organization | InvalidAccessRow): string | undefined {
  return isValidRow(found) ? found.id : found.organizationId
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
