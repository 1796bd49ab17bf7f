// Information about other processes: alive, start time, children, command line.
// From /proc on Linux (slim images have no ps), from ps on macOS.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const hasProc = process.platform === 'linux'

/** Fields of /proc/PID/stat from the third on: the command before them may contain spaces and parentheses. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function ps(...args: string[]): string {
  return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * Start time of the process, in a format of the system. Together with the pid it identifies a process, since pids
 * are reused. Undefined if there is no such process, or only a zombie.
 */
export function startedAt(pid: number): string | undefined {
  return orUndefined(() => {
    if (!hasProc) return ps('-o', 'lstart=', '-p', String(pid)) || undefined
    const fields = statFields(pid)
    return fields[0] === 'Z' ? undefined : fields[19]
  })
}

export function isAlive(pid: number): boolean {
  return startedAt(pid) !== undefined
}

export function commandLine(pid: number): string {
  const read = hasProc
    ? () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    : () => ps('-ww', '-o', 'command=', '-p', String(pid))
  return orUndefined(read) ?? ''
}

export function childrenOf(parent: number): number[] {
  if (!hasProc) {
    const lines = ps('-A', '-o', 'pid=,ppid=').split('\n')
    return lines
      .map(line => line.trim().split(/\s+/).map(Number))
      .flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : []))
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => orUndefined(() => statFields(pid)[1]) === String(parent))
}

/** Sends the signal if the process still exists. */
export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

/** Whether it is a system error with that code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Undefined if there is no such file, or it is another user's. */
export function readIfPossible(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EACCES')) return undefined
    throw error
  }
}

/** Whether `happened` becomes true within `withinMs`. */
export async function eventually(
  happened: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 20,
): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!(await happened())) {
    if (performance.now() > deadline) return false
    await sleep(everyMs)
  }
  return true
}
