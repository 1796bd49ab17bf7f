/** Servers of reports for a single test, and executions with default options. */
import type { Cluster } from '../../src/demo/cluster.ts'
import type { StatementText } from '../../src/definitions/definition.ts'
import { createStop, type Stop } from '../../src/model/stop.ts'
import { classifyError } from '../../src/serve/database/classify-error.ts'
import { createReportPool } from '../../src/serve/database/report-pool.ts'
import type { UseRows, ReportStatement } from '../../src/serve/database/rows.ts'
import { run } from '../harness/shops.ts'
import { readHex, type HexRow, type HexRows } from './rows.ts'

type Options = Parameters<typeof createReportPool>[0]
export type Server = ReturnType<typeof createReportPool>

/** Registers the hook that closes them after each test. */
export function serversOfTests(): (connectionString: string, more?: Partial<Options>) => Server {
  const opened: Server[] = []
  afterEach(() => Promise.all(opened.splice(0).map(server => server.sessions.end())))
  return (connectionString, more = {}) => {
    const server = createReportPool({
      connectionString,
      poolSize: 1,
      connectTimeoutMs: 5000,
      allowPrimary: false,
      observe: () => {},
      now: () => performance.now(),
      ...more,
    })
    opened.push(server)
    return server
  }
}

export interface More extends Partial<ReportStatement> {
  readonly stop?: Stop
  readonly read?: UseRows<HexRows>
}

/** Resolves after its connection has been released. */
export async function execute(server: Server, text: string, more: More = {}): Promise<HexRows> {
  const { stop = createStop(), read = readHex, ...rest } = more
  let release!: () => void
  const released = new Promise<void>(resolve => (release = resolve))
  const statement = {
    name: 'x',
    organizationId: '1',
    similarityKey: '1',
    text: text as StatementText,
    commentedText: text,
    preparedName: text.slice(0, 63),
    values: [],
    timeoutMs: 10_000,
    ...rest,
  }
  try {
    return await server.execute({ statement, slot: { queueMs: 0, release }, stop, read })
  } catch (error) {
    throw stop.reason === undefined ? classifyError(error) : error
  } finally {
    await released
  }
}

export async function rowsOf(server: Server, text: string, more: More = {}): Promise<HexRow[]> {
  return (await execute(server, text, more)).rows
}

/** @returns undefined if it succeeds */
export function errorOf(server: Server, text: string, more: More = {}): Promise<unknown> {
  return reasonOf(execute(server, text, more))
}

/** The reason of a rejected promise; undefined if it resolves. */
export function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

interface Started {
  readonly abort: (reason?: Error) => void
  /** The reason, or undefined if it succeeded. */
  readonly ended: Promise<unknown>
}

export function started(server: Server, text: string, more: More = {}): Started {
  const stop = createStop()
  const ended = errorOf(server, text, { ...more, stop })
  return { abort: (reason = new Error('aborted')) => stop.stop(reason), ended }
}

/** Executes each on the primary, and waits until the replica has replayed it. */
export async function change(cluster: Cluster, ...sql: readonly string[]): Promise<void> {
  for (const each of sql) await run(cluster.primaryUrl, each)
  await cluster.replicaCaughtUp()
}
