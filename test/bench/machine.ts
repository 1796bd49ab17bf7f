// The machine of a run, for whoever reads its figures later.
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
}

export async function describeMachine(postgresUrl: string, loadAverage: number): Promise<Machine> {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    node: process.version,
    postgres: (await valueOf(postgresUrl, 'show server_version')) ?? 'unknown',
    loadAverage,
  }
}

export function loadAverageNow(): number {
  return loadavg()[0] ?? 0
}
