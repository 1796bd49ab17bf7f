// Programs that measurements need and the machine may lack, run to their end.
import { spawn, spawnSync } from 'node:child_process'
import { Missing } from './bench.ts'

/** Where load runs, and what is measured: PostgreSQL runs wherever the system puts it. */
export const CORES = { server: 0, load: 1 } as const

const packages: Readonly<Record<string, string>> = {
  wrk: 'wrk',
  pgbench: 'postgresql (postgresql-contrib before 12)',
  taskset: 'util-linux',
}

export function has(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

/** @throws Missing naming those that are not here, and Debian's packages of them. */
export function need(...commands: readonly string[]): void {
  const missing = commands.filter(command => !has(command))
  if (missing.length === 0) return
  const named = missing.map(name => `${name} (Debian's ${packages[name] ?? name})`)
  throw new Missing(`not on this machine: ${named.join(', ')}`)
}

/** The command as it runs on one core. */
export function pinned(core: number, command: readonly string[]): string[] {
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
