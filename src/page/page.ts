/** What every view gets from `main`. */
import type { PageState } from './state.ts'

export interface Page {
  readonly state: PageState
  /** Aborts when another view is shown. */
  readonly signal: AbortSignal
  /** Changes the address, and leaves the view as it is; «Back» returns to the address before. */
  push(state: PageState): void
  replace(state: PageState): void
}
