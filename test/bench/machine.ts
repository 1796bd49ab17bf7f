// The machine of a run, for whoever reads its figures later.
import { setTimeout as sleep } from 'node:timers/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { valueOf } from '../../src/demo/connection.ts'

export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly memoryBytes: number
  readonly node: string
  readonly postgres: string
  /** Of the last minute, when the run began. */
  readonly loadAverage: number
  /** That others kept busy in the second before the run. */
  readonly busyCores: number
}

export type Before = Pick<Machine, 'loadAverage' | 'busyCores'>

/** Looks for a second at what others do. */
export async function lookBefore(): Promise<Before> {
  const before = busyMs()
  const startedAt = performance.now()
  await sleep(1000)
  const busyCores = (busyMs() - before) / (performance.now() - startedAt)
  return { loadAverage: loadavg()[0] ?? 0, busyCores: Number(busyCores.toFixed(2)) }
}

/** Of all cores together, since the machine's start. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}

export async function describeMachine(postgresUrl: string, before: Before): Promise<Machine> {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    node: process.version,
    postgres: (await valueOf(postgresUrl, 'show server_version')) ?? 'unknown',
    ...before,
  }
}
