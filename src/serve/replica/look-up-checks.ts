/**
 * Checks of the organizations that look-ups find. A check that fails or is slow fails no look-up: the last verdict
 * holds, of a time zone at least this runtime's, and the failure is observed. Knows no connection.
 */
import type { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import { createAccessRowChecks } from './access-row-checks.ts'
import type { AskRows } from './ask-rows.ts'
import { classify } from './classify-error.ts'
import { createFallibleCheck } from './fallible-check.ts'

export interface LookUpChecks {
  /** @throws what breaks a connection while ids are asked for that are new. */
  check(organizations: readonly Organization[]): Promise<void>
  faultOf(file: string, organization: Organization): InvalidAccessRow | undefined
  /** Why they cannot be checked now, in words. */
  readonly failure: () => string | undefined
}

/** A look-up waits so long for a time zone that is new, and PostgreSQL works so long on it. */
export const MAX_TIME_ZONES_MS: Milliseconds = 500

export function createLookUpChecks(options: {
  readonly askIds: AskRows
  /** Ends within `MAX_TIME_ZONES_MS` on the server. */
  readonly askTimeZones: AskRows
  readonly observe: Observe
  readonly now: Clock
}): LookUpChecks {
  const { askIds, askTimeZones, observe, now } = options
  const { ids, timeZones, faultOf } = createAccessRowChecks({
    onDifference: difference => observe({ kind: 'time-zone-differs', ...difference }),
    now,
  })
  const ofIds = createFallibleCheck({
    onFailure: error => observe({ kind: 'access-check-failed', check: 'ids', error }),
    // why: reports must not bind an id that another try can check
    isFatal: error => classify(error).remedy === 'transport',
    now,
  })
  const ofTimeZones = createFallibleCheck({
    onFailure: error => observe({ kind: 'access-check-failed', check: 'time zones', error }),
    now,
  })

  return {
    faultOf,
    failure() {
      const found = Object.entries({ ids: ofIds, 'time zones': ofTimeZones })
      const failed = found.filter(([, check]) => check.failure() !== undefined)
      if (failed.length === 0) return undefined
      return failed.map(([name, check]) => `${name} not checked: ${check.failure()}`).join('; ')
    },
    async check(organizations) {
      const unknown = ids.unknown(organizations)
      if (unknown.length > 0) await ofIds.run(() => ids.check(unknown, askIds))
      const due = timeZones.due(organizations.map(({ timeZone }) => timeZone))
      if (due.length === 0) return
      // why: the verdict of an hour ago serves until the next is there
      const isAwaited = due.some(timeZone => timeZones.isNew(timeZone))
      const checked = ofTimeZones.run(() => timeZones.check(due, askTimeZones), MAX_TIME_ZONES_MS)
      if (isAwaited) await checked
    },
  }
}
