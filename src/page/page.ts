/** What every view gets from `main`. */
import type { ApiProblem } from './api.ts'
import type { PageState } from './state.ts'

export interface Page {
  readonly state: PageState
  /** Aborts when another view is shown. */
  readonly signal: AbortSignal
  /** Shows another view. @param href relative to the page */
  go(href: string): void
  /** Changes the address, and leaves the view as it is; «Back» returns to the address before. */
  push(state: PageState): void
  replace(state: PageState): void
  /** Shows a problem of the key or the account instead of the view. False for other problems. */
  isOfAccount(problem: ApiProblem): boolean
}
