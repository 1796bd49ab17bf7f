/** Which organizations' access rows were not valid lately: one report a minute for each, and how many they are. */
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { InvalidAccessRow } from './invalid-access-row.ts'

export interface InvalidAccessRows {
  note(row: InvalidAccessRow): void
  /** Organizations met in the last minute, at most 100. */
  count(): number
}

const RECENT_MS: Milliseconds = 60_000
/** More are neither reported nor counted while these are met. */
const MAX_ORGANIZATIONS = 100

export function createInvalidAccessRows(options: {
  readonly observe: Observe
  readonly now: Clock
}): InvalidAccessRows {
  const { observe, now } = options
  const met = new Map<
    string | undefined,
    { metAt: Milliseconds; readonly reportedAt: Milliseconds }
  >()

  function forgetOld(): void {
    for (const [id, { metAt }] of met) if (now() - metAt >= RECENT_MS) met.delete(id)
  }

  return {
    note(row) {
      const { organizationId } = row
      const at = now()
      const known = met.get(organizationId)
      if (known !== undefined && at - known.reportedAt < RECENT_MS) {
        known.metAt = at
        return
      }
      if (met.size >= MAX_ORGANIZATIONS) forgetOld()
      if (known === undefined && met.size >= MAX_ORGANIZATIONS) return
      met.set(organizationId, { metAt: at, reportedAt: at })
      observe({ kind: 'access-row-rejected', organizationId, error: row })
    },
    count() {
      forgetOld()
      return met.size
    },
  }
}
