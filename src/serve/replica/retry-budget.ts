/** How many executions may be retried: a part of all, so that a fault of all does not double the load. */

export interface RetryBudget {
  /** Something is executed for the first time. */
  ran(): void
  /** False where nothing is left. */
  take(): boolean
}

const PART_OF_RUNS = 0.1
/** Saved up at most, and what there is at the start: a quiet process may retry, too. */
const MOST = 10

export function createRetryBudget(): RetryBudget {
  let left = MOST
  return {
    ran() {
      left = Math.min(MOST, left + PART_OF_RUNS)
    },
    take() {
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
