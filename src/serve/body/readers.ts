/** How answers are read: by a run, unless one like it has just failed by its own doing. */
import { tmpdir } from 'node:os'
import type { Observe } from '../../model/observation.ts'
import type { Runs } from '../replica/replica-run.ts'
import type { Bytes, Clock } from '../../model/terms.ts'
import { createFailing } from './failing.ts'
import { createReadMetrics } from './read-metrics.ts'
import type { ReadMetrics } from './read-metrics.ts'
import { createReadReport } from './read-report.ts'
import type { ReadReport, Wanted } from './read-report.ts'
import { createInSecondFormat } from './second-format.ts'
import type { InSecondFormat } from './second-format.ts'
import { createSpool } from './spool.ts'

export interface Readers {
  readonly readReport: ReadReport
  readonly readMetrics: ReadMetrics
  readonly inSecondFormat: InSecondFormat
  /** Of files that slow readers read from. */
  spooledBytes(): Bytes
}

export function createReaders(options: {
  readonly replica: Runs
  /** Above this many bytes an answer is not kept. */
  readonly keepMaxBytes: Bytes
  readonly spoolMaxBytes: Bytes
  readonly observe: Observe
  readonly now: Clock
}): Readers {
  const spool = createSpool({ maxBytes: options.spoolMaxBytes, folder: tmpdir() })
  const readReport = createReadReport({ ...options, spool })
  const readMetrics = createReadMetrics(options)
  const failing = createFailing({ observe: options.observe, elapsed: () => performance.now() })
  return {
    readReport: (request, wanted, signal) =>
      failing.unlessFailing(request, shapeOf(wanted), signal, onBroken =>
        readReport(request, { ...wanted, onBroken }, signal),
      ),
    readMetrics: (request, signal) =>
      failing.unlessFailing(request, 'metrics', signal, () => readMetrics(request, signal)),
    inSecondFormat: createInSecondFormat(options.now),
    spooledBytes: () => spool?.byteCount() ?? 0,
  }
}

function shapeOf({ format, wholeOnly = false }: Wanted): string {
  return `${format.name}${wholeOnly ? ' whole' : ''}`
}
