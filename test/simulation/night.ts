/** A night: each organization pulls each of its reports once. */
import type { Milliseconds } from '../../src/model/terms.ts'
import type { Pull } from './model.ts'

const MINUTE_MS = 60_000
export const NIGHT_MS: Milliseconds = 240 * MINUTE_MS
/** Half of the schedules are set to a full hour, and start within ten minutes after it. */
const AT_FULL_HOURS = 0.5
const HOURS = 4
const BUSY_MS = 10 * MINUTE_MS

/** Mean rate of pulls per second in the ten minutes after a full hour, and over the night. */
export function ratesOf(organizations: number, reports: number): { busy: number; mean: number } {
  const pulls = organizations * reports
  const mean = pulls / (NIGHT_MS / 1000)
  const busy = (pulls * AT_FULL_HOURS) / HOURS / (BUSY_MS / 1000) + mean * (1 - AT_FULL_HOURS)
  return { busy, mean }
}

/** Pulls at a mean rate: an organization pulls its reports one after the other. */
export function pullsOf(options: {
  readonly perSecond: number
  readonly seconds: number
  readonly reports: number
  readonly gateways: number
  /** Of one report each. */
  readonly demandsMs: readonly Milliseconds[]
  readonly random: () => number
}): Pull[] {
  const { perSecond, seconds, reports, gateways, demandsMs, random } = options
  const organizations = Math.ceil((perSecond * seconds) / reports)
  const pulls: Pull[] = []
  for (let organization = 0; organization < organizations; organization += 1) {
    const gateway = Math.floor(random() * gateways)
    let atMs = random() * seconds * 1000
    for (let report = 0; report < reports; report += 1) {
      const demandMs = demandsMs[Math.floor(random() * demandsMs.length)]!
      pulls.push({ atMs, organization: String(organization), gateway, demandMs })
      // why: a loader reads a response before it requests the next one
      atMs += demandMs + 100 * random()
    }
  }
  return pulls.toSorted((a, b) => a.atMs - b.atMs)
}

/** Executions of a night with a cache in each gateway, and with one that all share and that restarts do not empty. */
export function executionsOf(options: {
  readonly organizations: number
  readonly reports: number
  readonly gateways: number
  /** Part of the pulls that is repeated, after ten minutes on average: retries and second tools. */
  readonly repeated: number
  /** Part of the reports whose period has ended. */
  readonly closed: number
  /** Each gateway restarts so many times. */
  readonly restarts: number
  readonly random: () => number
}): { readonly own: number; readonly shared: number } {
  const { organizations, reports, gateways, repeated, closed, restarts, random } = options
  const restartsOf = Array.from({ length: gateways }, () =>
    Array.from({ length: restarts }, () => random() * NIGHT_MS),
  )
  let own = 0
  let shared = 0
  for (let organization = 0; organization < organizations; organization += 1) {
    const restartsAt = restartsOf[Math.floor(random() * gateways)]!
    for (let report = 0; report < reports; report += 1) {
      own += 1
      shared += 1
      if (random() >= repeated) continue
      const from = random() * NIGHT_MS
      const to = from - Math.log(1 - random()) * 10 * MINUTE_MS
      // the defaults of `fresh`
      const isFresh = to - from <= (random() < closed ? 60 : 1) * MINUTE_MS
      const isLost = restartsAt.some(at => at > from && at <= to)
      if (!isFresh) shared += 1
      if (!isFresh || isLost) own += 1
    }
  }
  return { own, shared }
}

/** Uniform from 0 to 1, the same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
