/**
 * Look-ups of key hashes on connections of their own, never the reports': a saturated report pool
 * leaves them alone. Prepared by name, because it is the statement that every request runs.
 */
import type { QueryConfig } from 'pg'
import type { FindOrganizations } from '../access/organization-lookup.ts'
import type { AccessDefinition } from '../definitions/definition.ts'
import type { Observe, PoolUse } from '../observation.ts'
import type { Clock, Milliseconds, Organization } from '../terms.ts'
import { createPool, poolUse, RAW_TEXT, within } from './pool.ts'

export interface KeyDatabase {
  /** @throws whatever pg or the transport reports, or the time-out. */
  readonly find: FindOrganizations
  /**
   * The PostgreSQL type of an organization's id: `uuid`, `integer`. Looks nobody up.
   * @param access the one in use, unless given
   * @throws as `find`
   */
  idType(access?: AccessDefinition): Promise<string>
  pool(): PoolUse
  close(): Promise<void>
}

interface Row {
  /** `\x` and hex digits. */
  readonly key_hash: string
  readonly organization_id: string
  readonly organization_id_type: string
  readonly time_zone: string
  readonly entitled: string
}

/** A column of a table that the prepared statement reads was changed: it has to be prepared anew. */
const PLAN_CHANGED = '0A000'

export function createKeyDatabase(options: {
  readonly connectionString: string
  readonly poolSize: number
  readonly connectTimeoutMs: Milliseconds
  readonly timeoutMs: Milliseconds
  /** The one in use now. */
  readonly access: () => AccessDefinition
  readonly observe: Observe
  readonly now: Clock
}): KeyDatabase {
  const { poolSize, timeoutMs, observe, now } = options
  const pool = createPool({ ...options, name: 'keys', max: poolSize })

  async function query<R extends object>(config: QueryConfig): Promise<readonly R[]> {
    const startedAt = now()
    const client = await pool.connect()
    observe({ kind: 'connection-acquired', pool: 'keys', durationMs: now() - startedAt })
    let failure: Error | undefined
    try {
      const asked = { ...config, types: RAW_TEXT } as QueryConfig
      return (await within(timeoutMs, client, () => client.query<R>(asked))).rows
    } catch (error) {
      failure = error as Error
      throw error
    } finally {
      client.release(failure)
    }
  }

  return {
    async find(hashes) {
      const { file, text, version } = options.access()
      // why: a connection keeps what it has prepared under a name; another text needs another
      const lookup = { name: `organization_by_key_${version}`, text, values: [hashes] }
      const rows = await query<Row>(lookup).catch((error: unknown) => {
        if ((error as { code?: unknown }).code === PLAN_CHANGED) return query<Row>(lookup)
        throw error
      })
      const organizations = new Map(rows.map(row => [row.key_hash.slice(2), organizationOf(row)]))
      // why: a key that names two organizations must open neither
      if (organizations.size < rows.length) throw new Error(`${file}: two rows for one key`)
      return organizations
    },
    async idType(access = options.access()) {
      // why: what a look-up would stumble over, such as a column misspelt, shows without a key, too
      await query<Row>({ text: access.text, values: [[]] })
      const [row] = await query<Row>({ text: access.idTypeText, values: [[]] })
      return row!.organization_id_type
    },
    pool: () => poolUse(pool),
    close: () => pool.end(),
  }
}

function organizationOf(row: Row): Organization {
  return {
    id: row.organization_id,
    idType: row.organization_id_type,
    timeZone: row.time_zone,
    entitled: row.entitled === 't',
  }
}
