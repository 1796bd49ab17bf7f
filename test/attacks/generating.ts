// What all generators do: read their job, count, stop when they are told to, and report at the end.
import type { Report } from './job.ts'

type Counted = { -readonly [Field in keyof Report]: Report[Field] } & {
  readonly outcomes: Record<string, number>
}

export interface Generating<Job> {
  readonly job: Job
  readonly report: Counted
  readonly stop: AbortSignal
  readonly count: (outcome: string, count?: number) => void
  /** Sends the report, and ends the process. */
  readonly end: () => void
}

/** To be called once: the process ends with its parent's. */
export function startGenerating<Job>(): Generating<Job> {
  const stop = new AbortController()
  process.once('message', () => stop.abort())
  process.once('disconnect', () => process.exit(1))
  const outcomes: Record<string, number> = {}
  const report = {
    sent: 0,
    outcomes,
    wrong: undefined,
    wrongCount: 0,
    withoutRetryAfter: 0,
    bytes: 0,
  }
  return {
    job: JSON.parse(process.argv[2] ?? '') as Job,
    report,
    stop: stop.signal,
    count(outcome, count = 1) {
      if (count > 0) outcomes[outcome] = (outcomes[outcome] ?? 0) + count
    },
    end: () => void process.send?.(report satisfies Report, () => process.exit()),
  }
}
