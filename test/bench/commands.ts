// Runs external programs of measurements, which may not be installed.
import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { Missing } from './bench.ts'

/** Cores of the load and of the measured server; PostgreSQL may use all. */
export const CORES = { server: 0, load: 1 } as const

/** Debian packages of the programs, and arguments with which they print their version. */
const PROGRAMS = {
  wrk: { package: 'wrk', version: '-v' },
  // why: without a server's package, Debian's `pgbench` is a wrapper that finds none
  pgbench: { package: 'postgresql', version: '--version' },
  taskset: { package: 'util-linux', version: '--version' },
} as const

/** @throws Missing if it is not installed. */
function need(program: keyof typeof PROGRAMS): void {
  const { package: name, version } = PROGRAMS[program]
  // wrk prints its version and fails.
  if (/\d\.\d/.test(spawnSync(program, [version], { encoding: 'utf8' }).stdout ?? '')) return
  throw new Missing(`there is no ${program}: install ${name}`)
}

/** The command pinned to one core. @throws Missing without that core, or if it or taskset is not installed. */
export function pinned(core: number, command: readonly string[]): string[] {
  if (availableParallelism() <= core) throw new Missing('there is one core: two are required')
  need('taskset')
  const [program = ''] = command
  if (program in PROGRAMS) need(program as keyof typeof PROGRAMS)
  return ['taskset', '-c', String(core), ...command]
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly signal?: AbortSignal
}

/** Runs to the end. @returns stdout. @throws Error with the end of stderr if it fails. */
export function run(command: readonly string[], options: RunOptions = {}): Promise<string> {
  const [program = '', ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      killSignal: 'SIGKILL',
      ...options,
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => (stdout += chunk))
    child.stderr.on('data', chunk => (stderr += chunk))
    child.once('error', reject)
    child.once('close', code => {
      if (code === 0) resolve(stdout)
      else reject(new Error(`${command.join(' ')} ended with ${code}:\n${stderr.slice(-2000)}`))
    })
  })
}
