// The product's servers: a primary and two streaming hot standbys, and how all three come back to rest.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverAccount } from '../../src/demo/account.ts'
import { startCluster } from '../../src/demo/cluster.ts'
import { withClient } from '../../src/demo/connection.ts'
import { freePort } from '../../src/demo/ports.ts'
import { childrenOf, commandLine, eventually } from '../../src/demo/processes.ts'
import { untilReplayed, untilStreaming } from '../../src/demo/replication.ts'
import type { Server } from '../../src/demo/server.ts'
import { common } from '../../src/demo/settings.ts'
import type { Watchdog } from '../../src/demo/watchdog.ts'
import { asked } from './asked.ts'
import { copyPrimary, startStandby } from './standby.ts'

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
export const PRODUCT = `${CHECKOUT}/test/harness/product`
export const DATABASE = 'product'

export type Role = 'postgres' | 'svodka_reports' | 'svodka_keys' | 'svodka_probe'

export interface Node {
  readonly server: Server
  readonly port: number
  /** Of a running process of the server, by what it calls itself: `startup recovering`. */
  processes(title: string): number[]
  /** As superuser. @returns the first row's first column. */
  ask(sql: string): Promise<string | null>
}

export interface Aside {
  readonly node: Node
  remove(): Promise<void>
}

export interface Servers {
  readonly primary: Node
  /** The second is started by the first that asks. */
  readonly one: Node
  two(): Promise<Node>
  /** One more standby, which is neither restored nor caught up with. @param watchdog starts its processes. */
  aside(name: string, watchdog: Watchdog): Promise<Aside>
  /** Those that were started. */
  all(): Promise<Node[]>
  /** `postgres://ROLE:...@127.0.0.1:PORT/product` */
  url(role: Role, port: number): string
  /** Runs on the primary, as superuser. */
  change(sql: string): Promise<void>
  /** Every running standby shows what the primary has. */
  caughtUp(): Promise<void>
  /** Roles and grants as they were at the start. */
  setUp(): Promise<void>
  /** Whatever was stopped, frozen, paused or promoted runs, streams and is caught up again. */
  restore(): Promise<void>
  stop(): Promise<void>
}

const SETTINGS = {
  // why: conflicts come within a second, and only where a scenario makes one
  max_standby_streaming_delay: '1s',
  deadlock_timeout: '200ms',
  autovacuum: 'off',
  shared_buffers: '64MB',
  // why: half of it is how old an idle primary's data may seem
  wal_sender_timeout: '2s',
  max_wal_size: '512MB',
  // why: when something was committed is what Data-As-Of is held against
  track_commit_timestamp: 'on',
}

export async function startServers(options: {
  readonly folder: string
  readonly watchdog: Watchdog
  readonly signal?: AbortSignal
}): Promise<Servers> {
  const { folder, watchdog, signal } = options
  const account = serverAccount()
  const cluster = await startCluster({
    directory: join(folder, 'cluster'),
    database: DATABASE,
    settings: SETTINGS,
    ...(signal && { signal }),
  })
  const url = (role: Role, port: number): string =>
    Object.assign(new URL(cluster.urlFor(role, 'primary')), { port: String(port) }).href
  const nodeOf = (server: Server): Node => ({
    server,
    port: server.port,
    processes: title =>
      server.pid === undefined
        ? []
        : childrenOf(server.pid).filter(pid => commandLine(pid).includes(title)),
    ask: sql => asked(url('postgres', server.port), sql),
  })
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

  async function aside(name: string, its: Watchdog): Promise<Aside> {
    const node = await startMore(name, its)
    const remove = async (): Promise<void> => {
      await node.server.stop('immediate')
      const slot = `select pg_drop_replication_slot('standby_${name}')`
      await eventually(
        () =>
          primary.ask(slot).then(
            () => true,
            () => false,
          ),
        10_000,
      )
    }
    return { node, remove }
  }

  async function change(sql: string): Promise<void> {
    await withClient(url('postgres', primary.port), client => client.query(sql))
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

  async function setUp(): Promise<void> {
    const roles = readFileSync(`${CHECKOUT}/sql/product/roles.sql`, 'utf8')
    // why: what the roles carry is the product's; what they may read is this bench's
    const carried = roles.match(/^(?:do \$\$.*?^\$\$;|(?:alter role|grant pg_)[^;]*;)/gms) ?? []
    const names: Role[] = ['svodka_reports', 'svodka_keys', 'svodka_probe']
    const passwords = names.map(name => `alter role ${name} password '${cluster.passwordOf(name)}'`)
    const grants = readFileSync(`${PRODUCT}/grants.sql`, 'utf8')
    await change([...carried, ...passwords, grants].join(';\n'))
  }

  async function restore(): Promise<void> {
    primary.server.resume()
    await primary.server.start()
    for (const node of await standbys()) await restoreStandby(node)
    await setUp()
    await caughtUp()
  }

  async function stop(): Promise<void> {
    if (second) await (await second).server.stop('immediate')
    await cluster.stop('immediate')
  }

  try {
    await change(readFileSync(`${PRODUCT}/schema.sql`, 'utf8'))
    await setUp()
    await caughtUp()
  } catch (error) {
    await cluster.stop('immediate')
    throw error
  }
  return {
    primary,
    one,
    two: () => (second ??= startMore('two', watchdog)),
    aside,
    all: async () => [primary, ...(await standbys())],
    url,
    change,
    caughtUp,
    setUp,
    restore,
    stop,
  }
}
