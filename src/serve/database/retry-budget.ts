/** Limits retries to a fraction of all executions, so that a general fault does not double the load. */

export interface RetryBudget {
  /** Counts the first execution of a request. */
  recordExecution(): void
  /** Uses one retry. False if none is available. */
  take(): boolean
}

const RETRY_FRACTION = 0.1
/** Maximum, and the initial value: a process with few requests may retry, too. */
const MAX_RETRIES = 10

export function createRetryBudget(): RetryBudget {
  let available = MAX_RETRIES
  return {
    recordExecution() {
      available = Math.min(MAX_RETRIES, available + RETRY_FRACTION)
    },
    take() {
      if (available < 1) return false
      available -= 1
      return true
    },
  }
}
