// The product's servers: a primary and two streaming hot standbys, and their restoration after faults.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverAccount } from '../../src/demo/account.ts'
import { startCluster, type Cluster } from '../../src/demo/cluster.ts'
import { valueOf, withClient } from '../../src/demo/connection.ts'
import { freePort } from '../../src/demo/ports.ts'
import { childrenOf, commandLine, eventually } from '../../src/demo/processes.ts'
import { untilReplayed, untilStreaming } from '../../src/demo/replication.ts'
import type { PostgresServer } from '../../src/demo/server.ts'
import { common } from '../../src/demo/settings.ts'
import type { Watchdog } from '../../src/demo/watchdog.ts'
import { copyPrimary, startStandby } from './standby.ts'

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
export const PRODUCT = `${CHECKOUT}/test/harness/product`
const DATABASE = 'product'
const ROLES = ['svodka_reports', 'svodka_keys', 'svodka_probe'] as const

export type Role = 'postgres' | (typeof ROLES)[number]

export interface Node {
  readonly server: PostgresServer
  readonly port: number
  /** Ids of the server's processes whose title contains this text: `startup recovering`. */
  readonly processes: (title: string) => number[]
  /** Executes a query as superuser. @returns the first column of the first row. */
  readonly ask: (sql: string) => Promise<string | null>
  /** Executing statements of the gateway: reports and key look-ups. */
  readonly running: () => Promise<number>
  /** Ms until none executes; Infinity if that takes too long. */
  readonly untilIdle: () => Promise<number>
}

export interface Servers {
  readonly primary: Node
  /** The second one is started on first use. */
  readonly one: Node
  readonly two: () => Promise<Node>
  /** Another standby, which is neither restored nor awaited. @param watchdog starts its processes. */
  readonly aside: (
    name: string,
    watchdog: Watchdog,
  ) => Promise<{ node: Node; remove: () => Promise<void> }>
  /** The started servers. */
  readonly all: () => Promise<Node[]>
  /** `postgres://ROLE:...@127.0.0.1:PORT/product` */
  readonly url: (role: Role, port: number) => string
  /** Executes statements on the primary, as superuser, in sequence. */
  readonly change: (...statements: string[]) => Promise<void>
  /** The same; resolves when every running standby has replayed it. */
  readonly changeAll: (...statements: string[]) => Promise<void>
  /** Resolves when every running standby has caught up. */
  readonly caughtUp: () => Promise<void>
  /** Restores all servers after a stop, freeze, pause or promotion: they run, stream and have caught up. */
  readonly restore: () => Promise<void>
  readonly stop: () => Promise<void>
}

const SETTINGS = {
  // why: conflicts occur within a second, and only in scenarios that cause them
  max_standby_streaming_delay: '1s',
  deadlock_timeout: '200ms',
  autovacuum: 'off',
  shared_buffers: '64MB',
  // why: the measured lag of an idle primary is at most half of it
  wal_sender_timeout: '2s',
  max_wal_size: '512MB',
  // why: Data-As-Of is compared with commit timestamps
  track_commit_timestamp: 'on',
}

/** Separate servers, with settings for early conflicts. */
export async function startServers(options: {
  readonly folder: string
  readonly watchdog: Watchdog
  readonly signal?: AbortSignal
}): Promise<Servers> {
  const { folder, watchdog, signal } = options
  const cluster = await startCluster({
    directory: join(folder, 'cluster'),
    database: DATABASE,
    settings: SETTINGS,
    ...(signal && { signal }),
  })
  const stop = (): Promise<void> => cluster.stop('immediate')
  return serversOf(cluster, { watchdog, signal, stop }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
}

/** Creates the product in a separate database on running servers; `stop` drops it. */
export async function serversOn(cluster: Cluster, watchdog: Watchdog): Promise<Servers> {
  const drop = `drop database if exists ${DATABASE} with (force)`
  const stop = (): Promise<void> =>
    withClient(cluster.primaryUrl, async client => void (await client.query(drop)))
  await stop()
  await withClient(cluster.primaryUrl, client => client.query(`create database ${DATABASE}`))
  await cluster.replicaCaughtUp()
  return serversOf(cluster, { watchdog, stop })
}

async function serversOf(
  cluster: Cluster,
  options: {
    readonly watchdog: Watchdog
    readonly signal?: AbortSignal | undefined
    readonly stop: () => Promise<void>
  },
): Promise<Servers> {
  const { watchdog, signal } = options
  const account = serverAccount()
  const url = (role: Role, port: number): string =>
    Object.assign(new URL(cluster.urlFor(role, 'primary', DATABASE)), { port: String(port) }).href
  const nodeOf = (server: PostgresServer): Node => {
    const node: Node = {
      server,
      port: server.port,
      processes: title =>
        server.pid === undefined
          ? []
          : childrenOf(server.pid).filter(pid => commandLine(pid).includes(title)),
      ask: sql => asked(url('postgres', server.port), sql),
      running: async () => Number(await node.ask(RUNNING)),
      async untilIdle() {
        const since = performance.now()
        const isIdle = await eventually(async () => (await node.running()) === 0, 20_000, 10)
        return isIdle ? performance.now() - since : Number.POSITIVE_INFINITY
      },
    }
    return node
  }
  const primary = nodeOf(cluster.primary)
  const one = nodeOf(cluster.replica)
  const folders = new Map<Node, string>([[one, join(cluster.folder, 'standby')]])
  let second: Promise<Node> | undefined

  async function startMore(name: string, its: Watchdog): Promise<Node> {
    const port = await freePort()
    const settings = { ...common, ...SETTINGS }
    const at = { name, port, url: url('postgres', port), settings, watchdog: its }
    const { server, data } = await startStandby(cluster, account, at, signal)
    const node = nodeOf(server)
    folders.set(node, data)
    return node
  }

  async function change(...statements: string[]): Promise<void> {
    for (const sql of statements) {
      await withClient(url('postgres', primary.port), client => client.query(sql))
    }
  }

  const standbys = async (): Promise<Node[]> => [one, ...(second ? [await second] : [])]

  async function caughtUp(): Promise<void> {
    for (const { port, server } of await standbys()) {
      if (server.pid === undefined) continue
      await untilReplayed(url('postgres', primary.port), url('postgres', port), 30_000)
    }
  }

  async function restoreStandby(node: Node): Promise<void> {
    const { server, port } = node
    server.resume()
    await server.start()
    await eventually(() => node.ask('select 1').then(Boolean, () => false), 30_000)
    if ((await node.ask('select pg_is_in_recovery()')) === 'f') {
      await server.stop('immediate')
      await copyPrimary(cluster, account, folders.get(node) ?? '')
      await server.start()
    }
    await node.ask('select pg_wal_replay_resume()')
    await untilStreaming(server, url('postgres', port), signal)
  }

  /** Roles and grants as they were at the start. */
  async function setUp(): Promise<void> {
    const roles = readFileSync(`${CHECKOUT}/sql/product/roles.sql`, 'utf8')
    // why: role settings are the product's; privileges are those of this bench
    const carried = roles.match(/^(?:do \$\$.*?^\$\$;|(?:alter role|grant pg_)[^;]*;)/gms) ?? []
    const passwords = ROLES.map(name => `alter role ${name} password '${cluster.passwordOf(name)}'`)
    const grants = readFileSync(`${PRODUCT}/grants.sql`, 'utf8')
    await change([...carried, ...passwords, grants].join(';\n'))
  }

  await change(readFileSync(`${PRODUCT}/schema.sql`, 'utf8'))
  await setUp()
  await caughtUp()
  return {
    primary,
    one,
    two: () => (second ??= startMore('two', watchdog)),
    async aside(name, its) {
      const node = await startMore(name, its)
      const slot = `select pg_drop_replication_slot('standby_${name}')`
      const isDropped = (): Promise<boolean> =>
        primary.ask(slot).then(
          () => true,
          () => false,
        )
      const remove = async (): Promise<void> => {
        await node.server.stop('immediate')
        await eventually(isDropped, 10_000)
      }
      return { node, remove }
    },
    all: async () => [primary, ...(await standbys())],
    url,
    change,
    async changeAll(...statements) {
      await change(...statements)
      await caughtUp()
    },
    caughtUp,
    async restore() {
      primary.server.resume()
      await primary.server.start()
      for (const node of await standbys()) await restoreStandby(node)
      await setUp()
      await caughtUp()
    },
    async stop() {
      if (second) await (await second).server.stop('immediate')
      await options.stop()
    },
  }
}

const RUNNING = `select count(*) from pg_stat_activity
  where application_name in ('svodka reports', 'svodka keys') and state <> 'idle'`

/** The first column of the first row. Retried if a conflict with recovery has cancelled the query. */
async function asked(url: string, sql: string, left = 5): Promise<string | null> {
  try {
    return await valueOf(url, sql)
  } catch (error) {
    if (left === 0 || !String(error).includes('conflict with recovery')) throw error
    return asked(url, sql, left - 1)
  }
}
