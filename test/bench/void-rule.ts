// When a comparison says nothing: its baseline wavered, or was not busy. Pure.
import { median, waver } from './statistics.ts'

/** Highest round over lowest. */
const MOST_WAVER = 1.4
/** Of its core: below, the load or the machine was measured, and not the server. */
const LEAST_CPU_SHARE = 0.95
/** Of cores, by others. */
const MOST_BUSY = 0.5

export interface Baseline {
  readonly name: string
  /** What is compared, round by round. */
  readonly rounds: readonly number[]
  /** What the rule looks at instead, where the rounds waver by nature: those of a p99 do. */
  readonly judged?: readonly number[]
  /** Of an HTTP server that is to be saturated: its CPU time over wall time, round by round. */
  readonly cpuShares?: readonly number[]
}

/** Why rows against this baseline are void, or undefined. */
export function voidReason({
  name,
  rounds,
  judged = rounds,
  cpuShares,
}: Baseline): string | undefined {
  const wavered = waver(judged)
  if (wavered > MOST_WAVER) return `${name} wavers: its rounds are ${wavered.toFixed(2)}x apart`
  if (cpuShares === undefined) return undefined
  const share = median(cpuShares)
  if (share < LEAST_CPU_SHARE) return `${name} had ${Math.round(share * 100)} % of its core`
  return undefined
}

/** Why seconds and MiB measured on this machine say nothing, or undefined: there is no baseline that would have told. */
export function busyReason(busyCoresBefore: number): string | undefined {
  if (busyCoresBefore <= MOST_BUSY) return undefined
  return `others kept ${busyCoresBefore.toFixed(1)} cores busy before the run`
}

/** Of a row that is no comparison. */
export function voidIfBusy({ busyCoresBefore }: { readonly busyCoresBefore: number }): {
  readonly void?: string
} {
  const reason = busyReason(busyCoresBefore)
  return reason === undefined ? {} : { void: reason }
}
