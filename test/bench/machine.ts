// The machine of a run: whoever reads its figures later has another.
import { availableParallelism, cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { valueOf } from '../../src/demo/connection.ts'

/** That others kept busy in a second. */
export async function busyCores(): Promise<number> {
  const before = busyMs()
  const startedAt = performance.now()
  await sleep(1000)
  return Number(((busyMs() - before) / (performance.now() - startedAt)).toFixed(2))
}

/** Of all cores together, since the machine's start. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}

export async function describeMachine(postgresUrl: string) {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    postgres: (await valueOf(postgresUrl, 'show server_version')) ?? 'unknown',
  }
}
