// Starts a request generator as a separate process, so that it does not delay the samples.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../../src/demo/processes.ts'
import { cpuMs } from '../harness/process-figures.ts'
import type { Stage } from '../harness/stage.ts'
import type { FuzzJob, LoadJob, Report, PingsJob } from './job.ts'

export interface Generator {
  /** CPU time so far. */
  cpuMs(): number
  /** Resolves once it has sent all requests of its job. */
  readonly report: Promise<Report>
  /** Stops sending. @returns the report, once all responses have arrived. */
  stop(): Promise<Report>
}

export function startLoad(stage: Stage, job: LoadJob): Generator {
  return start(stage, 'load-generator.js', job)
}

export function startPings(stage: Stage, job: PingsJob): Generator {
  return start(stage, 'pings-generator.js', job)
}

export function startFuzzer(stage: Stage, job: FuzzJob): Generator {
  return start(stage, 'fuzz-generator.js', job)
}

function start(stage: Stage, script: string, job: LoadJob | PingsJob | FuzzJob): Generator {
  stage.hasOtherClients = true
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = fork(path, [JSON.stringify(job)])
  stage.atEnd(() => void child.kill('SIGKILL'))
  const report = new Promise<Report>((resolve, reject) => {
    child.once('message', message => resolve(message as Report))
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`the load generator ended with ${code}`)))
  })
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

/** @returns the number of outcomes that begin with none of these statuses. */
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
