// svodka as a separate process on free ports: its output, its addresses, its exit.
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Limits } from '../../src/config/limits.ts'
import type { Watchdog } from '../../src/demo/watchdog.ts'
import { FAST_PATH } from './fast-path.ts'
import { until } from './until.ts'
import { CLOCK } from './clock.ts'

export const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const WITH_LIMITS = fileURLToPath(new URL('./serve-with-limits.js', import.meta.url))

export interface GatewayProcess {
  readonly child: ChildProcess
  readonly out: string
  readonly err: string
  readonly exit: Promise<number | null>
}

interface ProcessOptions {
  readonly prefix?: readonly string[] | undefined
  readonly main?: string
  readonly limits?: Partial<Limits> | undefined
}

/**
 * @param prefix a command that executes the one that follows it
 * @param main the entry point of another installation than this checkout
 * @param limits other ones than the constants, for `serve`
 */
export function startProcess(
  command: string,
  environment: NodeJS.ProcessEnv,
  { prefix = [], main = MAIN, limits }: ProcessOptions = {},
): GatewayProcess {
  const script = limits === undefined ? main : WITH_LIMITS
  const argument = limits === undefined ? command : JSON.stringify(limits)
  const [program, ...args] = [...prefix, process.execPath, script, argument]
  const child = spawn(program, args, {
    stdio: 'pipe',
    env: { PORT: '0', OPS_PORT: '0', FAST_PATH, ALLOW_TMPFS: 'true', ...CLOCK, ...environment },
  })
  const started = { child, out: '', err: '', exit: exitOf(child) }
  child.stdout.on('data', chunk => (started.out += chunk))
  child.stderr.on('data', chunk => (started.err += chunk))
  return started
}

let logCount = 0

/** `serve` with these limits, in the folder, with its log there. Ends with this process, even after SIGKILL. */
export function startLoggedProcess(
  limits: Partial<Limits>,
  environment: NodeJS.ProcessEnv,
  { folder, watchdog }: { readonly folder: string; readonly watchdog: Watchdog },
): GatewayProcess {
  const file = join(folder, `log-${(logCount += 1)}`)
  const log = openSync(file, 'a')
  const child = watchdog.spawn(process.execPath, [WITH_LIMITS, JSON.stringify(limits)], {
    signal: 'KILL',
    env: { ...CLOCK, ...environment },
    cwd: folder,
    stdout: log,
    stderr: log,
  })
  closeSync(log)
  return {
    child,
    get out() {
      return readFileSync(file, 'utf8')
    },
    err: '',
    exit: exitOf(child),
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise(resolve => child.on('exit', resolve))
}

export interface Addresses {
  readonly url: string
  readonly opsUrl: string
}

/** Its addresses, from its log. */
export async function listening(gateway: GatewayProcess): Promise<Addresses> {
  const urlOf = (server: string): Promise<string> =>
    until(() => {
      const lines = gateway.out.split('\n').filter(line => line.includes('"port":'))
      const line = lines.map(text => JSON.parse(text)).find(fields => fields.server === server)
      return line && `http://127.0.0.1:${line.port}`
    })
  return { url: await urlOf('api'), opsUrl: await urlOf('operations') }
}

export async function ready(gateway: GatewayProcess): Promise<Addresses> {
  const addresses = await listening(gateway)
  await until(async () => (await fetch(`${addresses.opsUrl}/readyz`)).status === 200)
  return addresses
}
