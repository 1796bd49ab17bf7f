// CPU time and memory of a process, from /proc of Linux.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

let ticksPerSecond: number | undefined

/** User and system time of all its threads, in steps of a tick (10 ms). @see proc(5), stat */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Fields from the third on: the command before them may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** CPU time of the threads that it has now, in nanoseconds of the scheduler. @see proc(5), schedstat */
export function threadsCpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map(thread => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
}

/** Current resident memory. */
export function memoryBytes(pid: number): number {
  return statusBytes(pid, 'VmRSS')
}

/** Peak resident memory. */
export function peakMemoryBytes(pid: number): number {
  return statusBytes(pid, 'VmHWM')
}

/** The peak is that since this call. @see https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function statusBytes(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${name}`)
  return Number(kibibytes) * 1024
}
