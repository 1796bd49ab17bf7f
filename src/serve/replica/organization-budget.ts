/** Execution time that an organization may use: a token bucket that refills evenly. Knows no clock. */
import type { Executing } from './execution-costs.ts'
import type { BudgetState, Milliseconds, OrganizationBudget } from '../../model/terms.ts'

export interface Spending {
  /** Beyond `executionMs` is a debt. */
  spentMs: Milliseconds
  spentAt: Milliseconds
}

/** Brings the spending up to date and adds to it; a negative amount gives back. */
export function spend(
  { executionMs, windowMs }: OrganizationBudget,
  spending: Spending,
  amountMs: Milliseconds,
  nowMs: Milliseconds,
): void {
  const refilledMs = ((nowMs - spending.spentAt) * executionMs) / windowMs
  spending.spentMs = Math.max(0, spending.spentMs - refilledMs) + amountMs
  spending.spentAt = nowMs
}

/** @returns how long until some of it remains after what executes and is queued; 0 if some remains now */
export function waitForBudgetMs(
  budget: OrganizationBudget,
  load: Spending & { readonly executing: Iterable<Executing> },
  queuedMs: Milliseconds,
  nowMs: Milliseconds,
): Milliseconds {
  spend(budget, load, 0, nowMs)
  let usedMs = load.spentMs + queuedMs
  // why: the estimate was charged, and an execution that takes longer costs more already
  for (const one of load.executing) {
    usedMs += Math.max(0, nowMs - one.startedAt - one.expectedMs)
  }
  return Math.max(0, ((usedMs - budget.executionMs) * budget.windowMs) / budget.executionMs)
}

export function budgetState(budget: OrganizationBudget, spending: Spending): BudgetState {
  const { executionMs, windowMs } = budget
  const remainingMs = Math.max(0, executionMs - spending.spentMs)
  const missingMs = remainingMs > 0 ? spending.spentMs : spending.spentMs - executionMs
  const resetSeconds = Math.ceil((Math.max(0, missingMs) * windowMs) / executionMs / 1000)
  return { remainingMs, resetSeconds }
}
