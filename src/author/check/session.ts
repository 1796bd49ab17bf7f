/**
 * What a check asks of the replica: everything in one snapshot, so that answers may be compared while the product goes
 * on, and each question in a savepoint, so that a refused one ends nothing. Knows no definitions.
 */
import { DatabaseError } from 'pg'
import type { ClientBase } from 'pg'
import { explainStatement } from '../plans/explain.ts'
import type { Plan } from '../plans/plan.ts'
import { classifyError } from '../../serve/replica/classify-error.ts'
import { RAW_TEXT } from '../../serve/replica/pool.ts'
import type { Field } from '../../serve/replica/prepared.ts'
import { execute } from '../../serve/replica/execution.ts'
import { rawFields } from '../../model/row-bytes.ts'
import { createRowReader, forEachRow } from '../../model/row-reader.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { inTime, isSilence, silence, thenBack } from './in-time.ts'

export interface Asked {
  readonly text: string
  readonly values: readonly string[]
  /** Kept by the server. */
  readonly timeoutMs: Milliseconds
  /** PostgreSQL's, for this question alone. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface Reader {
  readonly begin: (fields: readonly Field[]) => void
  readonly row: (values: readonly RawField[]) => void
}

export interface Answer {
  readonly fields: readonly Field[]
  readonly rows: ReadonlyArray<readonly RawField[]>
}

/** What PostgreSQL said of a statement, which is its author's to mend. */
export type Refusal = DatabaseError

/** @throws Refusal where PostgreSQL refuses the statement; whatever else it or the transport reports. */
export interface Session {
  /** The role's own `statement_timeout`, which is kept where it is the shorter; Infinity where it has none. */
  readonly mostMs: Milliseconds
  /** Plans it and runs none of it. */
  describe(asked: Asked): Promise<readonly Field[]>
  read(asked: Asked, reader: Reader): Promise<void>
  answer(asked: Asked): Promise<Answer>
  /** @param analyze whether it is run */
  explain(asked: Asked, analyze: boolean): Promise<Plan>
  /** Of a query of ours. */
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** @throws what `work` throws; Problem `replica_unavailable` where the server does not answer in time. */
export async function withSnapshot<T>(
  client: ClientBase,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const rollback = () => inTime(client, OWN_MS, () => client.query('rollback'))
  await inTime(client, OWN_MS, () =>
    client.query('begin isolation level repeatable read read only'),
  )
  return thenBack(async () => work(sessionOn(client, await statementTimeout(client))), rollback)
}

async function statementTimeout(client: ClientBase): Promise<Milliseconds> {
  const { rows } = await inTime(client, OWN_MS, () =>
    client.query<{ ms: number }>(
      "select setting::integer as ms from pg_settings where name = 'statement_timeout'",
    ),
  )
  return Number(rows[0]?.ms) || Infinity
}

export function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof DatabaseError &&
    classifyError(error).code !== 'replica_unavailable' &&
    !isRecoveryConflict(error)
  )
}

/** The standby took back what was being read: another try may be let through. */
export function isRecoveryConflict(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return error.code === '40001' || error.message.includes('conflict with recovery')
}

/** Undefined where PostgreSQL refuses, for what is tried. */
export async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (isRefusal(error)) return undefined
    throw error
  })
}

export const DESCRIBE_HEAD = 'select * from (\n'
const DESCRIBE_TAIL = '\n) as described limit 0'

/** After the server's own time-out nobody waits for long. */
const GRACE_MS: Milliseconds = 5000
/** What we ask of the catalogs, and how many rows there are. */
const OWN_MS: Milliseconds = 30_000

function sessionOn(client: ClientBase, mostMs: Milliseconds): Session {
  async function apart<T>({ timeoutMs, settings = {} }: Asked, work: () => Promise<T>): Promise<T> {
    const all = { ...settings, statement_timeout: String(Math.min(timeoutMs, mostMs)) }
    const set = Object.entries(all).map(([name, value]) => `set local ${name} = '${value}'`)
    await inTime(client, OWN_MS, () => client.query(['savepoint asked', ...set].join('; ')))
    // why: going back to a savepoint takes the settings back, too
    return thenBack(work, () =>
      inTime(client, OWN_MS, () =>
        client.query('rollback to savepoint asked; release savepoint asked'),
      ),
    )
  }
  const guarded = <T>({ timeoutMs }: Asked, ask: () => Promise<T>) =>
    inTime(client, timeoutMs + GRACE_MS, ask)

  const read = (asked: Asked, { begin, row }: Reader): Promise<void> => {
    const { text, values, timeoutMs } = asked
    const statement = { text, values, timeoutMs: timeoutMs + GRACE_MS }
    return apart(asked, async () => {
      const { started, idle } = execute(client, statement, new AbortController().signal)
      try {
        const { fields, batches } = await started
        begin(fields)
        const reader = createRowReader()
        for await (const batch of batches) forEachRow(reader, batch, found => row(rawFields(found)))
      } catch (error) {
        throw isSilence(error) ? silence(timeoutMs + GRACE_MS, error) : error
      } finally {
        await idle
      }
    })
  }

  return {
    mostMs,
    describe: asked =>
      apart(asked, async () => {
        const text = `${DESCRIBE_HEAD}${asked.text}${DESCRIBE_TAIL}`
        const { fields } = await guarded(asked, () =>
          client.query({ text, values: [...asked.values] }),
        )
        return fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID }))
      }),
    read,
    async answer(asked) {
      let fields: readonly Field[] = []
      const rows: Array<readonly RawField[]> = []
      const begin = (found: readonly Field[]) => void (fields = found)
      await read(asked, { begin, row: values => void rows.push(values) })
      return { fields, rows }
    },
    explain: (asked, analyze) =>
      apart(asked, () =>
        guarded(asked, () =>
          explainStatement(client, asked.text, asked.values, { analyze, timing: false }),
        ),
      ),
    async rows<Row extends object>(text: string, values: readonly unknown[] = []) {
      const asked = { text, values: [...values], types: RAW_TEXT }
      return (await inTime(client, OWN_MS, () => client.query<Row>(asked))).rows
    },
  }
}
