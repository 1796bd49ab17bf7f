// The pair's data directories on disk: made by initdb and a copy, marked when whole, thrown away otherwise.
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

export interface Place {
  folder: string
  account: Account
  binaries: Binaries
  watchdog: Watchdog
  signal: AbortSignal | undefined
}

/** Raised when the servers' lay-out on disk changes: older data are made anew. */
const layout = 1

function mark({ binaries }: Place): string {
  return JSON.stringify({ layout, postgres: binaries.version })
}

/** Whether a whole pair is there, made by this version, neither of them promoted. */
export function isWhole(place: Place): boolean {
  const path = join(place.folder, 'made.json')
  return (
    existsSync(path) &&
    readFileSync(path, 'utf8') === mark(place) &&
    existsSync(join(place.folder, 'standby', 'standby.signal'))
  )
}

/** Once the new pair has streamed: one that never did has no replication role, and is made anew. */
export function markWhole(place: Place): void {
  writeFileSync(join(place.folder, 'made.json'), mark(place))
}

/** Each role's password comes from one secret that is kept with the data: the same at every start. */
export function passwordsOf({ folder }: Place): (role: string) => string {
  const secret = readFileSync(join(folder, 'secret'), 'utf8')
  return role => createHmac('sha256', secret).update(role).digest('hex').slice(0, 32)
}

export function makeSecret({ folder }: Place): void {
  rmSync(join(folder, 'secret'), { force: true })
  writeFileSync(join(folder, 'secret'), randomBytes(24).toString('hex'), { mode: 0o600 })
}

/** Everything but the lock, the note and the logs. */
export function throwAway({ folder }: Place): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('lock') && !name.includes('.log') && name !== 'moved-to') {
      rmSync(join(folder, name), { recursive: true, force: true })
    }
  }
}

/**
 * A primary's data directory, and its copy for the standby: taken before the first start, it needs no base backup.
 * @throws Error with the log's end if initdb fails.
 */
export async function makePair(place: Place, superuserPassword: string): Promise<void> {
  const { folder, account, binaries } = place
  for (const name of ['primary', 'standby']) {
    mkdirSync(join(folder, name), { mode: 0o700 })
    account.give(join(folder, name))
  }
  const passwordFile = join(folder, 'initdb.password')
  writeFor(account, passwordFile, superuserPassword)
  await run(place, binaries.initdb, [
    `--pgdata=${join(folder, 'primary')}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own C.UTF-8 is the same on every system; the system's may be missing.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ])
  rmSync(passwordFile)
  const copy = 'cp -R "$1/." "$2" && : > "$2/standby.signal"'
  await run(place, '/bin/sh', ['-c', copy, 'sh', join(folder, 'primary'), join(folder, 'standby')])
}

async function run(place: Place, program: string, args: string[]): Promise<void> {
  const logFile = join(place.folder, 'initdb.log')
  const log = openSync(logFile, 'w', 0o600)
  const child = place.watchdog.spawn(program, args, {
    signal: 'INT',
    ...serverProcess(place.account),
    stdout: log,
    stderr: log,
  })
  closeSync(log)
  const interrupt = () => child.kill('SIGINT')
  place.signal?.addEventListener('abort', interrupt)
  await once(child, 'exit')
  place.signal?.removeEventListener('abort', interrupt)
  place.signal?.throwIfAborted()
  if (child.exitCode !== 0) throw new Error(`${program} failed.\n${logTail(logFile)}`)
}
