// What the system says of other processes: alive or not, which one it is, its children, its command.
// Linux tells by /proc (slim images have no ps), macOS by ps.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const hasProc = process.platform === 'linux'

/** Fields 3 and on of /proc/PID/stat: the command before them may hold spaces and parentheses. */
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
 * When the process began, in the system's own notation: with the pid it tells a process from a later one
 * that was given the same pid. Undefined if there is no such process, or only its zombie.
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

/** Sends the signal if there is still someone to receive it. */
export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

/** Whether it is the system's error of that name. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Whether `happened` came true within `withinMs`. */
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
