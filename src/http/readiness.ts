/** What must hold before the gateway may take traffic, in words for the person who looks at `/readyz`. */
import type { Catalog } from '../definitions/definition.ts'
import type { ReplicaState } from '../observation.ts'
import type { Milliseconds } from '../terms.ts'
import type { RehearsalState } from '../reports/rehearsed.ts'
import type { Check } from './operations.ts'

/** A replica that goes away later stays ready: kept answers are served, marked as stale. */
export function readiness(seen: {
  readonly catalog: Catalog
  readonly state: ReplicaState | undefined
  readonly stateAgeMs: Milliseconds
  readonly rehearsal: RehearsalState
  readonly draining: boolean
}): Check[] {
  const { catalog, state, stateAgeMs, rehearsal, draining } = seen
  return [
    definitions(catalog, rehearsal),
    {
      name: 'database',
      ok: state !== undefined,
      reason: state === undefined ? 'not reached since start' : answered(stateAgeMs),
    },
    {
      name: 'replica',
      ok: state?.usable === true,
      reason: state === undefined ? 'not seen yet' : state.usable ? undefined : WRITABLE,
    },
    { name: 'not draining', ok: !draining, reason: draining ? 'stopping' : undefined },
  ]
}

const WRITABLE = 'the server at DATABASE_URL is writable; ALLOW_PRIMARY=true lets it in'

const LATE_MS = 3000

function answered(ageMs: Milliseconds): string | undefined {
  return ageMs < LATE_MS ? undefined : `last answered ${Math.round(ageMs / 1000)} s ago`
}

function definitions({ reports, metricsFiles }: Catalog, rehearsal: RehearsalState): Check {
  const name = 'definitions'
  if (rehearsal === 'not yet') return { name, ok: false, reason: 'not planned on the replica yet' }
  if (rehearsal === 'put off') return { name, ok: true, reason: 'not planned on the replica yet' }
  const { refused } = rehearsal
  if (refused === 0) return { name, ok: true }
  const all = reports.size + metricsFiles.size
  return { name, ok: refused < all, reason: `${refused} of ${all} do not run on this replica` }
}
