/** Replicas for one test each, and executions of which only the text matters. */
import type { Cluster } from '../../src/demo/cluster.ts'
import type { ReplicaRun } from '../../src/serve/replica/replica-run.ts'
import { createReplica, type Replica } from '../../src/serve/replica/replica.ts'
import type { RowSink } from '../../src/serve/replica/run-statement.ts'
import { run } from '../harness/shops.ts'
import { keepingSink, type HexRow } from './rows.ts'

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

type More = Partial<ReplicaRun> & { readonly sink?: RowSink }

export function execute(replica: Replica, text: string, more: More = {}): Promise<void> {
  const { sink = keepingSink(), ...rest } = more
  return replica.run({
    name: 'x',
    alike: '1',
    text,
    preparedName: text.slice(0, 63),
    values: [],
    timeoutMs: 10_000,
    open: () => ({ sink, finish: () => {}, isOut: () => false }),
    signal: new AbortController().signal,
    ...rest,
  })
}

export async function rowsOf(replica: Replica, text: string, more: More = {}): Promise<HexRow[]> {
  const sink = keepingSink()
  await execute(replica, text, { ...more, sink })
  return sink.rows
}

/** @returns undefined if it ends well */
export function errorOf(replica: Replica, text: string, more: More = {}): Promise<unknown> {
  return reasonOf(execute(replica, text, more))
}

/** What a promise rejects with; undefined if it resolves. */
export function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

export interface Execution {
  readonly abort: (reason?: Error) => void
  /** The reason, or undefined if it ended well. */
  readonly ended: Promise<unknown>
}

export function started(replica: Replica, text: string, more: More = {}): Execution {
  const controller = new AbortController()
  const ended = errorOf(replica, text, { ...more, signal: controller.signal })
  return { abort: (reason = new Error('aborted')) => controller.abort(reason), ended }
}

/** Executes each on the primary, and waits until the replica shows it. */
export async function change(cluster: Cluster, ...sql: readonly string[]): Promise<void> {
  for (const each of sql) await run(cluster.primaryUrl, each)
  await cluster.replicaCaughtUp()
}
