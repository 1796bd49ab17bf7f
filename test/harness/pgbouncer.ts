// A real PgBouncer in front of one server, if it is installed (Debian's package pgbouncer).
import { spawn, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { serverAccount, writeFor } from '../../src/demo/account.ts'
import { freePort } from '../../src/demo/ports.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'
import { skip } from './skip.ts'

export interface PgBouncer {
  /** URL of the server through the pooler. */
  urlFor(serverUrl: string): string
  isAlive(): boolean
  stop(): Promise<void>
}

// why: on Debian it is only in the PATH of root
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`

export function hasPgBouncer(): boolean {
  return spawnSync('pgbouncer', ['--version'], { env: { PATH } }).status === 0
}

/** For hooks: skips tests with a reason if it is not installed. */
export function needsPgBouncer(context: Mocha.Context): void {
  if (hasPgBouncer()) return
  skip(context, 'there is no pgbouncer: install pgbouncer')
}

/** Accepts the roles and passwords of the URLs, which must be of one server. */
export async function startPgBouncer(options: {
  readonly mode: 'transaction' | 'session'
  readonly serverUrls: readonly string[]
  /** Connections to the server for each role and database. */
  readonly poolSize?: number
}): Promise<PgBouncer> {
  const { mode, poolSize = 4 } = options
  const urls = options.serverUrls.map(url => new URL(url))
  const folder = temporaryFolder()
  const account = serverAccount()
  const port = await freePort()
  const users = urls.map(
    ({ username, password }) =>
      `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"`,
  )
  writeFor(account, `${folder}/users`, [...users, ''].join('\n'))
  const settings = [
    '[databases]',
    `* = host=${urls[0]?.hostname} port=${urls[0]?.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${folder}/users`,
    `pool_mode = ${mode}`,
    `default_pool_size = ${poolSize}`,
    'server_login_retry = 1',
  ]
  writeFor(account, `${folder}/ini`, [...settings, ''].join('\n'))

  const child = spawn('pgbouncer', ['-q', `${folder}/ini`], {
    ...account.ids,
    cwd: '/',
    env: { PATH },
  })
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  await until(() => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`)
    return takesConnections(port)
  })

  return {
    urlFor: url => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', kill)
    },
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
