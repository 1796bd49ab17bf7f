// Runs external programs of measurements, which may not be installed.
import { spawn, spawnSync } from 'node:child_process'
import { Missing } from './bench.ts'

/** Cores of the load and of the measured server; PostgreSQL may use all. */
export const CORES = { server: 0, load: 1 } as const

/** Debian packages of the programs. */
const PACKAGES = { wrk: 'wrk', pgbench: 'postgresql', taskset: 'util-linux' } as const

/** @throws Missing if it is not installed. */
function need(command: keyof typeof PACKAGES): void {
  if (spawnSync('sh', ['-c', `command -v ${command}`]).status === 0) return
  throw new Missing(`not on this machine: ${command} (Debian's ${PACKAGES[command]})`)
}

/** The command pinned to one core. @throws Missing if it or taskset is not installed. */
export function pinned(core: number, command: readonly string[]): string[] {
  need('taskset')
  const [program = ''] = command
  if (program in PACKAGES) need(program as keyof typeof PACKAGES)
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
