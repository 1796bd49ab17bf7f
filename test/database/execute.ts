/** Replicas for a single test, and executions with default options. */
import type { Cluster } from '../../src/demo/cluster.ts'
import type { StatementText } from '../../src/definitions/definition.ts'
import { Problem } from '../../src/model/errors.ts'
import { classifyError } from '../../src/serve/database/classify-error.ts'
import {
  createReplica,
  type Replica,
  type ReplicaExecution,
} from '../../src/serve/database/replica.ts'
import type { StatementRequest } from '../../src/serve/database/statement-request.ts'
import { run } from '../harness/shops.ts'
import { read, type HexRow } from './rows.ts'

export type ReplicaOptions = Parameters<typeof createReplica>[0]

/** Registers the hook that closes them after each test. */
export function replicasOfTests(): (
  connectionString: string,
  more?: Partial<ReplicaOptions>,
) => Replica {
  const opened: Replica[] = []
  afterEach(() => Promise.all(opened.splice(0).map(replica => replica.close())))
  return (connectionString, more = {}) => {
    const replica = createReplica({
      connectionString,
      poolSize: 1,
      connectTimeoutMs: 5000,
      allowPrimary: false,
      state: () => undefined,
      stateAgeMs: () => 0,
      observe: () => {},
      now: () => performance.now(),
      ...more,
    })
    opened.push(replica)
    return replica
  }
}

export interface More extends Partial<StatementRequest> {
  readonly signal?: AbortSignal
  /** Reads the rows; may throw. */
  readonly read?: (execution: ReplicaExecution) => Promise<unknown>
}

/** Resolves after its connection has been released. */
export async function execute(replica: Replica, text: string, more: More = {}): Promise<void> {
  const { signal = new AbortController().signal, read: readRows = read, ...rest } = more
  const { started, released } = replica.execute(
    {
      name: 'x',
      similarityKey: '1',
      text: text as StatementText,
      preparedName: text.slice(0, 63),
      values: [],
      timeoutMs: 10_000,
      ...rest,
    },
    signal,
  )
  try {
    const execution = await started
    await readRows(execution).then(
      () => execution.report(0),
      (error: unknown) => {
        execution.report(0, error)
        throw error
      },
    )
  } catch (error) {
    throw signal.aborted && !(error instanceof Problem) ? error : classifyError(error)
  } finally {
    await released
  }
}

export async function rowsOf(replica: Replica, text: string, more: More = {}): Promise<HexRow[]> {
  let rows: HexRow[] = []
  const readRows = async (execution: ReplicaExecution): Promise<void> => {
    rows = (await read(execution)).rows
  }
  await execute(replica, text, { ...more, read: readRows })
  return rows
}

/** @returns undefined if it succeeds */
export function errorOf(replica: Replica, text: string, more: More = {}): Promise<unknown> {
  return reasonOf(execute(replica, text, more))
}

/** The reason of a rejected promise; undefined if it resolves. */
export function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

export interface Execution {
  readonly abort: (reason?: Error) => void
  /** The reason, or undefined if it succeeded. */
  readonly ended: Promise<unknown>
}

export function started(replica: Replica, text: string, more: More = {}): Execution {
  const controller = new AbortController()
  const ended = errorOf(replica, text, { ...more, signal: controller.signal })
  return { abort: (reason = new Error('aborted')) => controller.abort(reason), ended }
}

/** Executes each on the primary, and waits until the replica has replayed it. */
export async function change(cluster: Cluster, ...sql: readonly string[]): Promise<void> {
  for (const each of sql) await run(cluster.primaryUrl, each)
  await cluster.replicaCaughtUp()
}
