/** From the problem that a run ended with to what is counted. */
import type { Problem } from '../../model/errors.ts'
import type { RunOutcome } from '../../model/observation.ts'
import { SinkFullError } from './replica-run.ts'

export function outcomeOf({ code, cause }: Problem): RunOutcome {
  switch (code) {
    case 'result_too_large':
      return 'too_large'
    case 'report_timeout':
      return 'timeout'
    case 'replica_unavailable':
      return 'unavailable'
    case 'overloaded':
      return cause instanceof SinkFullError ? 'spool_full' : 'unavailable'
    default:
      return 'error'
  }
}
