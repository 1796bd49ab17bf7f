/**
 * Queries of a check on the replica. All share one snapshot, so that results are comparable while the product writes.
 * Each begins at one savepoint, so that an error does not end the transaction. Knows no definitions.
 */
import { DatabaseError } from 'pg'
import { explainStatement } from '../plans/explain.ts'
import type { Plan } from '../plans/plan.ts'
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import { classify } from '../../serve/database/classify-error.ts'
import { within } from '../../serve/database/timeout.ts'
import { executeOnSession } from '../../serve/database/session-execution.ts'
import { localSettings } from '../../serve/database/session-settings.ts'
import { collectRows, type QueryRows } from '../../serve/database/connection.ts'
import type { Field } from '../../serve/database/rows.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'

export interface SqlQuery {
  readonly text: string
  readonly values: readonly RawField[]
  /** Enforced by the server. */
  readonly timeoutMs: Milliseconds
  /** PostgreSQL settings for this query only. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface QueryResult {
  readonly fields: readonly Field[]
  readonly rows: ReadonlyArray<readonly RawField[]>
  /** Includes rows beyond the limit of stored rows. */
  readonly rowCount: number
}

/** An error that PostgreSQL reports for a statement and that its author can correct. */
export type Refusal = DatabaseError

/** The code of a statement that exceeded its timeout. */
export const QUERY_CANCELED = '57014'

/** @throws Refusal if PostgreSQL rejects the statement; other errors of PostgreSQL or the transport as they are. */
export interface Session {
  /** For queries of the check itself, and statements that are planned and not executed. */
  readonly rows: QueryRows
  query(query: SqlQuery): Promise<QueryResult>
  /** Executes the statement. */
  explain(query: SqlQuery): Promise<Plan>
}

/**
 * @param work is called again after a conflict with replay, which may cancel any statement on a busy standby
 * @throws what `work` throws; an error with the code `ETIMEDOUT` if the server does not respond in time.
 */
export async function withSnapshot<T>(
  client: DatabaseClient,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  for (let left = MAX_RETRIES; ; left--) {
    try {
      return await inSnapshot(client, work)
    } catch (error) {
      if (left === 0 || !isRecoveryConflict(error)) throw error
    }
  }
}

const MAX_RETRIES = 2

async function inSnapshot<T>(
  client: DatabaseClient,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const run = (text: string) => within(OWN_MS, client.query<{ setting: string }>(text), client)
  await run('begin isolation level repeatable read read only')
  if (client.peer.isPooled) await run(localSettings('reports'))
  try {
    const { rows } = await run("select setting from pg_settings where name = 'statement_timeout'")
    await run('savepoint query')
    return await work(sessionOn(client, Number(rows[0]?.setting) || Infinity))
  } finally {
    // why: if the connection is lost, its error is that of the work
    await run('rollback').catch(() => {})
  }
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof DatabaseError && classify(error).problem.code !== 'replica_unavailable'
}

/** The standby cancelled the query because of recovery: a retry may succeed. */
export function isRecoveryConflict(error: unknown): boolean {
  return classify(error).remedy === 'conflict'
}

export function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError
}

/** The result, or PostgreSQL's error as a value. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | Refusal> {
  return work.catch((error: unknown) => {
    if (isRefusal(error)) return error
    throw error
  })
}

export async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  const done = await orRefusal(work)
  return isRefusal(done) ? undefined : done
}

/** The server cancels first; the client waits only this much longer. */
const GRACE_MS: Milliseconds = 5000
/** For queries on the catalogs, and for plans. */
const OWN_MS: Milliseconds = 30_000
/** Further rows are counted but not stored. */
const MOST_ROWS = 100_000

/** @param maxTimeoutMs the role's `statement_timeout`, which applies if it is shorter; Infinity if there is none */
function sessionOn(client: DatabaseClient, maxTimeoutMs: Milliseconds): Session {
  async function inSavepoint<T>(
    { timeoutMs, settings }: Omit<SqlQuery, 'text' | 'values'>,
    work: () => Promise<T>,
  ): Promise<T> {
    const limits = { ...settings, statement_timeout: String(Math.min(timeoutMs, maxTimeoutMs)) }
    const set = Object.entries(limits).map(([name, value]) => `set local ${name} = '${value}'`)
    const before = client.query(['rollback to savepoint query', ...set].join('; '))
    await within(OWN_MS, before, client)
    return within(timeoutMs + GRACE_MS, work(), client)
  }
  const query = ({ text, values, ...limits }: SqlQuery) =>
    inSavepoint(limits, async () => {
      // why: the shorter timeout of `within` must end first, because its error is the one to report
      const timeoutMs = limits.timeoutMs + 2 * GRACE_MS
      const own = { text, values, timeoutMs, isReadOnly: false, before: [] }
      const rows = await executeOnSession(client, own)
      const { fields } = rows
      return { fields, ...(await collectRows(rows, MOST_ROWS)) }
    })
  return {
    query,
    rows: async ({ text, values = [], onColumns }) => {
      const { fields, rows } = await query({ text, values, timeoutMs: OWN_MS })
      onColumns?.(fields)
      return rows
    },
    explain: ({ text, values, ...limits }) =>
      inSavepoint(limits, () => explainStatement(client, text, values, { timing: false })),
  }
}
