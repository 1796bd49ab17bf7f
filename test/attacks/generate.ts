// Starts the load generator as a process of its own, so that it and the samples beside it do not wait for each other.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../../src/demo/processes.ts'
import { cpuMs } from '../bench/process-figures.ts'
import type { World } from '../harness/world.ts'
import type { FuzzJob, Job, Report, StrangersJob } from './job.ts'

const GENERATOR = fileURLToPath(new URL('generator.js', import.meta.url))
const FUZZER = fileURLToPath(new URL('fuzz-generator.js', import.meta.url))
const STRANGERS = fileURLToPath(new URL('strangers-generator.js', import.meta.url))

export interface Generator {
  /** CPU time so far. */
  cpuMs(): number
  /** Resolves once it has sent all of its job. */
  readonly report: Promise<Report>
  /** Sends nothing more. @returns what came of it, once all responses are in. */
  stop(): Promise<Report>
}

export function startGenerator(world: World, job: Job): Generator {
  return start(world, GENERATOR, job)
}

/** Strangers: requests with unknown keys. */
export function startStrangers(world: World, job: StrangersJob): Generator {
  return start(world, STRANGERS, job)
}

export function startFuzzer(world: World, job: FuzzJob): Generator {
  return start(world, FUZZER, job)
}

function start(world: World, script: string, job: Job | StrangersJob | FuzzJob): Generator {
  world.hasOtherClients = true
  const child = fork(script, [JSON.stringify(job)])
  world.atEnd(() => void child.kill('SIGKILL'))
  const report = reportOf(child)
  // why: it may fail before it is awaited
  report.catch(() => undefined)
  return {
    cpuMs: () => (child.pid !== undefined && isAlive(child.pid) ? cpuMs(child.pid) : 0),
    report,
    stop() {
      if (child.connected) child.send('stop', () => undefined)
      return report
    },
  }
}

function reportOf(child: ChildProcess): Promise<Report> {
  return new Promise((resolve, reject) => {
    child.once('message', message => resolve(message as Report))
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`the load generator ended with ${code}`)))
  })
}

/** Responses whose status is none of these. */
export function othersThan(report: Report, statuses: readonly string[]): number {
  return Object.entries(report.outcomes)
    .filter(([outcome]) => !statuses.some(status => outcome.startsWith(status)))
    .reduce((sum, [, count]) => sum + count, 0)
}

/** `200: 950, 429 rate_limited: 50` */
export function outcomesOf({ outcomes }: Report): string {
  return Object.entries(outcomes)
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(', ')
}
