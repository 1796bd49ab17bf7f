/**
 * Look-ups of key hashes on connections of their own, never the reports': a saturated report pool
 * leaves them alone. Prepared by name, because it is the statement that every request runs.
 */
import type { ClientBase } from 'pg'
import type { KeyHash } from '../access/api-key.ts'
import type { FindOrganizations } from '../access/organization-lookup.ts'
import type { AccessDefinition } from '../definitions/definition.ts'
import type { PoolUse } from '../gauges.ts'
import type { Observe } from '../observation.ts'
import type { Clock, Milliseconds, Organization } from '../terms.ts'
import { rawField } from '../row-bytes.ts'
import type { RowBytes } from '../row-bytes.ts'
import type { KeyLag } from './key-lag.ts'
import { byteaArray, hashIn, nullIn, organizationIn } from './key-rows.ts'
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
   * @throws as `find`
   */
  idType(access?: AccessDefinition): Promise<string>
  /** Connects and asks for nothing. @throws as `find` */
  reach(): Promise<void>
  /** Drops the connections that nobody uses. */
  dropIdle(): void
  pool(): PoolUse
  close(): Promise<void>
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

  async function find(hashes: readonly KeyHash[]): Promise<Map<KeyHash, Organization>> {
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
  ): Promise<Map<KeyHash, Organization>> {
    const organizations = new Map<KeyHash, Organization>()
    let rowCount = 0
    let missing: string | undefined
    await ask(
      { name, text, values: [byteaArray(hashes)], undescribed: true },
      row => {
        rowCount += 1
        missing ??= nullIn(row)
        if (missing === undefined) organizations.set(hashIn(row), organizationIn(row))
      },
      true,
    )
    // why: nobody is the organization '', and no zone is the zone ''
    if (missing !== undefined) throw new Error(`${file}: ${missing} of a key is null`)
    // why: a key that names two organizations must open neither
    if (organizations.size < rowCount) throw new Error(`${file}: two rows for one key`)
    return organizations
  }

  return {
    find,
    async idType(access = options.access()) {
      const nobody = [byteaArray([])]
      // why: what a look-up would stumble over, such as a column misspelt, shows without a key, too
      await ask({ name: undefined, text: access.text, values: nobody }, () => undefined)
      let idType = ''
      await ask({ name: undefined, text: access.idTypeText, values: nobody }, row => {
        idType = rawField(row, 0) ?? ''
      })
      return idType
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
