/** What each organization asks of the replicas: waiting, executing, executed lately. Forgotten when it is idle. */
import type { BusyOrganization } from '../../model/gauges.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createRecencyMap } from './recency-map.ts'

/** Of one organization. */
export interface OrganizationLoad<Waiting> {
  readonly id: string
  /** In the order of service. */
  readonly queue: Waiting[]
  /** Expected execution time of the queue. */
  queuedMs: Milliseconds
  readonly executing: Set<Executing>
  /** Of deficit round robin: negative is a debt. */
  creditMs: Milliseconds
  /** The first moment that no refused client was told to come back at. */
  nextRetryAt: Milliseconds
  /** Of `ORGANIZATION_BUDGET`, as it was at `spentAt`. */
  spentMs: Milliseconds
  spentAt: Milliseconds
  /** Execution time by tens of seconds, the newest last. */
  readonly recent: Array<{ readonly slice: number; durationMs: Milliseconds }>
}

export interface Executing {
  readonly server: unknown
  readonly identity: string
  readonly startedAt: Milliseconds
  readonly expectedMs: Milliseconds
}

export interface OrganizationLoads<Waiting> {
  of(organizationId: string): OrganizationLoad<Waiting>
  /** It waits or executes now, or has just ended an execution. */
  active(load: OrganizationLoad<Waiting>): void
  executed(load: OrganizationLoad<Waiting>, durationMs: Milliseconds): void
  /** Whether another organization waits, executes, or did so within the last 10 s. */
  isContended(load: OrganizationLoad<Waiting>): boolean
  busiest(count: number): BusyOrganization[]
}

const ACTIVE_MS: Milliseconds = 10_000
const SLICE_MS: Milliseconds = 10_000
const RECENT_MS: Milliseconds = 60_000

/** @param isSettled false where an idle organization must be remembered still */
export function createOrganizationLoads<Waiting>(
  now: Clock,
  isSettled: (load: OrganizationLoad<Waiting>) => boolean,
): OrganizationLoads<Waiting> {
  const isBusy = ({ queue, executing }: OrganizationLoad<Waiting>): boolean =>
    queue.length > 0 || executing.size > 0
  const all = createRecencyMap<OrganizationLoad<Waiting>>({
    idleMs: RECENT_MS,
    mustStay: load => isBusy(load) || !isSettled(load),
    now,
  })
  const active = createRecencyMap<OrganizationLoad<Waiting>>({
    idleMs: ACTIVE_MS,
    mustStay: isBusy,
    now,
  })

  function touch(load: OrganizationLoad<Waiting>): void {
    all.use(load.id, load)
    active.use(load.id, load)
  }

  function recentMs({ recent, executing }: OrganizationLoad<Waiting>): Milliseconds {
    const at = now()
    const oldest = Math.floor((at - RECENT_MS) / SLICE_MS)
    const ended = recent.map(({ slice, durationMs }) => (slice > oldest ? durationMs : 0))
    const current = Array.from(executing, ({ startedAt }) => Math.min(RECENT_MS, at - startedAt))
    return [...ended, ...current].reduce((sum, one) => sum + one, 0)
  }

  return {
    of(id) {
      all.prune()
      const known = all.get(id)
      if (known) return known
      const load: OrganizationLoad<Waiting> = {
        id,
        queue: [],
        queuedMs: 0,
        executing: new Set(),
        creditMs: 0,
        nextRetryAt: 0,
        spentMs: 0,
        spentAt: now(),
        recent: [],
      }
      all.use(id, load)
      return load
    },
    active: touch,
    executed(load, durationMs) {
      touch(load)
      const slice = Math.floor(now() / SLICE_MS)
      const newest = load.recent.at(-1)
      if (newest?.slice === slice) newest.durationMs += durationMs
      else load.recent.push({ slice, durationMs })
      if (load.recent.length > RECENT_MS / SLICE_MS) load.recent.shift()
    },
    isContended(load) {
      active.prune()
      return active.size() > (active.has(load.id) ? 1 : 0)
    },
    busiest: count =>
      all
        .values()
        .map(load => ({
          id: load.id,
          executionMs: recentMs(load),
          executing: load.executing.size,
          waiting: load.queue.length,
        }))
        .filter(({ executionMs, executing, waiting }) => executionMs + executing + waiting > 0)
        .toSorted((a, b) => b.executionMs - a.executionMs)
        .slice(0, count),
  }
}
