/**
 * What an organization may still use of its budget, as headers.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ of version 10
 */
import type { BudgetState, OrganizationBudget } from '../../model/terms.ts'

/** Names and values in turn; empty where no budget is configured. */
export type RateLimitHead = (organizationId: string) => readonly string[]

/** Whole seconds of execution time on the replicas; ours, so it is prefixed as the draft asks. */
const QUOTA_UNIT = 'svodka-database-seconds'
/** As long as `Retry-After` at most, which must not be earlier than `t`. */
const MAX_RESET_SECONDS = 120

export function createRateLimitHead(
  budget: OrganizationBudget | undefined,
  budgetOf: (organizationId: string) => BudgetState | undefined,
): RateLimitHead {
  if (budget === undefined) return () => []
  const quota = Math.floor(budget.executionMs / 1000)
  const window = Math.ceil(budget.windowMs / 1000)
  const policy = `"organization";q=${quota};w=${window};qu="${QUOTA_UNIT}"`
  return organizationId => {
    const { remainingMs = 0, resetSeconds = 0 } = budgetOf(organizationId) ?? {}
    const reset = Math.min(MAX_RESET_SECONDS, resetSeconds)
    const limit = `"organization";r=${Math.floor(remainingMs / 1000)};t=${reset}`
    return ['RateLimit-Policy', policy, 'RateLimit', limit]
  }
}
