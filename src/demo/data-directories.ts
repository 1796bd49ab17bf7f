// The data directories of the primary and the standby: created by initdb and a copy; incomplete ones are replaced.
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { writeFor, type Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { logTail, serverProcess } from './server.ts'
import type { Watchdog } from './watchdog.ts'

export interface ClusterFolder {
  folder: string
  account: Account
  binaries: Binaries
  watchdog: Watchdog
  signal: AbortSignal | undefined
}

/** Version of the layout on disk: data of older versions are replaced. */
const layout = 1

function mark({ binaries }: ClusterFolder): string {
  return JSON.stringify({ layout, postgres: binaries.version })
}

/** Whether a complete pair of this version exists, with a standby that was not promoted. */
export function isWhole(pair: ClusterFolder): boolean {
  const path = join(pair.folder, 'made.json')
  return (
    existsSync(path) &&
    readFileSync(path, 'utf8') === mark(pair) &&
    existsSync(join(pair.folder, 'standby', 'standby.signal'))
  )
}

/** Call it once the new pair streams: a pair that never did has no replication role, and is replaced. */
export function markWhole(pair: ClusterFolder): void {
  writeFileSync(join(pair.folder, 'made.json'), mark(pair))
}

/** Derives each role's password from a secret stored with the data, so that it is the same at every start. */
export function passwordsOf({ folder }: ClusterFolder): (role: string) => string {
  const secret = readFileSync(join(folder, 'secret'), 'utf8')
  return role => createHmac('sha256', secret).update(role).digest('hex').slice(0, 32)
}

export function makeSecret({ folder }: ClusterFolder): void {
  rmSync(join(folder, 'secret'), { force: true })
  writeFileSync(join(folder, 'secret'), randomBytes(24).toString('hex'), { mode: 0o600 })
}

/** Removes everything but the lock, the pointer to a substitute folder and the logs. */
export function removeData({ folder }: ClusterFolder): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('lock') && !name.includes('.log') && name !== 'moved-to') {
      rmSync(join(folder, name), { recursive: true, force: true })
    }
  }
}

/**
 * Makes the primary's data directory, and its copy for the standby. Before the first start no base backup is needed.
 * @throws Error with the end of the log if initdb fails.
 */
export async function makePair(pair: ClusterFolder, superuserPassword: string): Promise<void> {
  const { folder, account, binaries } = pair
  for (const name of ['primary', 'standby']) {
    mkdirSync(join(folder, name), { mode: 0o700 })
    account.give(join(folder, name))
  }
  const passwordFile = join(folder, 'initdb.password')
  writeFor(account, passwordFile, superuserPassword)
  await run(pair, binaries.initdb, [
    `--pgdata=${join(folder, 'primary')}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's C.UTF-8 is the same on every system; that of the system may be missing.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ])
  rmSync(passwordFile)
  const copy = 'cp -R "$1/." "$2" && : > "$2/standby.signal"'
  await run(pair, '/bin/sh', ['-c', copy, 'sh', join(folder, 'primary'), join(folder, 'standby')])
}

async function run(pair: ClusterFolder, program: string, args: string[]): Promise<void> {
  const logFile = join(pair.folder, 'initdb.log')
  const log = openSync(logFile, 'w', 0o600)
  const child = pair.watchdog.spawn(program, args, {
    signal: 'INT',
    ...serverProcess(pair.account),
    stdout: log,
    stderr: log,
  })
  closeSync(log)
  const interrupt = () => child.kill('SIGINT')
  pair.signal?.addEventListener('abort', interrupt)
  await once(child, 'exit')
  pair.signal?.removeEventListener('abort', interrupt)
  pair.signal?.throwIfAborted()
  if (child.exitCode !== 0) throw new Error(`${program} failed.\n${logTail(logFile)}`)
}
