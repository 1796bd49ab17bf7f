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

export interface SvodkaProcess {
  readonly child: ChildProcess
  readonly out: string
  readonly err: string
  readonly exit: Promise<number | null>
}

export interface ProcessOptions {
  /** A command that executes the one that follows it. */
  readonly prefix?: readonly string[]
  /** The entry point of another installation than this checkout. */
  readonly main?: string
  /** Other ones than the constants, for `serve`. */
  readonly limits?: Partial<Limits>
  /** Works and logs in the folder, and ends with this process, even after SIGKILL. */
  readonly log?: LogOptions
}

export interface LogOptions {
  readonly folder: string
  readonly watchdog: Watchdog
}

export function startProcess(
  command: string,
  environment: NodeJS.ProcessEnv,
  { prefix = [], main = MAIN, limits, log }: ProcessOptions = {},
): SvodkaProcess {
  const script = limits === undefined ? main : WITH_LIMITS
  const argument = limits === undefined ? command : JSON.stringify(limits)
  const words = [...prefix, process.execPath, script, argument]
  const env = { PORT: '0', OPS_PORT: '0', FAST_PATH, ALLOW_TMPFS: 'true', ...CLOCK, ...environment }
  if (log !== undefined) return startLogged('svodka', words, env, log)
  const [program = '', ...args] = words
  const child = spawn(program, args, { stdio: 'pipe', env })
  const started = { child, out: '', err: '', exit: exitOf(child) }
  child.stdout.on('data', chunk => (started.out += chunk))
  child.stderr.on('data', chunk => (started.err += chunk))
  return started
}

let logCount = 0

/** Any program. @param name begins the name of its log file */
export function startLogged(
  name: string,
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  { folder, watchdog }: LogOptions,
): SvodkaProcess {
  const file = join(folder, `${name}-${(logCount += 1)}.log`)
  const log = openSync(file, 'a')
  const options = { signal: 'KILL', env, cwd: folder, stdout: log, stderr: log } as const
  const child = watchdog.spawn(program, args, options)
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
  return new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject))
}

export function hasEnded({ child }: Pick<SvodkaProcess, 'child'>): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

export interface Addresses {
  readonly url: string
  readonly opsUrl: string
}

/** Its addresses, from its log. @throws Error with the end of its output if it has ended */
export async function listening(gateway: SvodkaProcess): Promise<Addresses> {
  const urlOf = (server: string): Promise<string> =>
    until(() => {
      const lines = gateway.out.split('\n').filter(line => line.includes('"port":'))
      const line = lines.map(text => JSON.parse(text)).find(fields => fields.server === server)
      if (line !== undefined) return `http://127.0.0.1:${line.port}`
      if (!hasEnded(gateway)) return undefined
      const said = `${gateway.out}${gateway.err}`.trim().split('\n').slice(-3).join(' ')
      throw new Error(`the gateway ended with ${gateway.child.exitCode}: ${said}`)
    })
  return { url: await urlOf('api'), opsUrl: await urlOf('operations') }
}

export async function ready(gateway: SvodkaProcess): Promise<Addresses> {
  const addresses = await listening(gateway)
  await isReady(addresses)
  return addresses
}

/** Resolves once `/readyz` returns 200. */
export async function isReady({ opsUrl }: Pick<Addresses, 'opsUrl'>): Promise<void> {
  await until(async () => (await fetch(`${opsUrl}/readyz`)).status === 200)
}
