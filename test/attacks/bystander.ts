// Organization B, which does nothing wrong: its response times while all is quiet, and beside an attack.
import { cpuMs } from '../bench/process-figures.ts'
import type { Gateway } from '../harness/gateway.ts'
import { askMany, cold, count, isOk, loadFor, msOf } from '../harness/load.ts'
import type { Asked, Recorded } from '../harness/recorder.ts'
import type { Figure } from '../harness/scenario.ts'
import { quantile } from '../support/quantile.ts'

export const BYSTANDER = 2

/** Of each phase, which lasts a minute. More a second would queue behind each other in the one slot that B may hold. */
const SAMPLES = 1000
const PER_SECOND = 16
const QUICK_SECONDS = 1

export interface Bystander {
  readonly quiet: readonly Recorded[]
  readonly beside: readonly Recorded[]
  /** Of a core, while the attack lasted, in %. */
  readonly gatewayCpu: number
}

/** @param attack is begun between both phases and goes on through the second. */
export async function besideAttack(
  gateway: Gateway,
  options: {
    readonly isQuick: boolean
    readonly attack: () => Promise<unknown> | void
    readonly ask?: () => Asked
    readonly perSecond?: number
  },
): Promise<Bystander> {
  const { isQuick, attack } = options
  const ask = options.ask ?? (() => ({ report: 'nap', organization: BYSTANDER, cold: cold() }))
  const perSecond = options.perSecond ?? PER_SECOND
  const seconds = isQuick ? QUICK_SECONDS : SAMPLES / perSecond
  await askMany(gateway, isQuick ? 20 : 100, 2, ask)
  const quiet = await loadFor(gateway, seconds, perSecond, ask)
  await attack()
  const from = performance.now()
  const cpuBefore = cpuMs(gateway.pid)
  const beside = await loadFor(gateway, seconds, perSecond, ask)
  const gatewayCpu = (100 * (cpuMs(gateway.pid) - cpuBefore)) / (performance.now() - from)
  return { quiet, beside, gatewayCpu }
}

/** No refusal, and medians and p99s of both phases with the limits of their ratios. */
export function bystanderFigures(
  { quiet, beside, gatewayCpu }: Bystander,
  limits: { readonly p50?: number; readonly p99?: number } = { p50: 3, p99: 6 },
): Figure[] {
  const [p50, p99] = [0.5, 0.99].map(part => ({
    quiet: quantile(msOf(quiet), part),
    beside: quantile(msOf(beside), part),
  })) as [Pair, Pair]
  return [
    { name: `B's samples in each phase`, value: Math.min(quiet.length, beside.length) },
    {
      name: `B's refusals and failures`,
      value: count(beside, response => !isOk(response)),
      exactly: 0,
    },
    { name: `B's p50 when quiet`, value: p50.quiet, unit: 'ms' },
    {
      name: `B's p50 beside it`,
      value: ratio(p50),
      unit: 'x',
      ...(limits.p50 && { atMost: limits.p50 }),
    },
    { name: `B's p99 when quiet`, value: p99.quiet, unit: 'ms' },
    {
      name: `B's p99 beside it`,
      value: ratio(p99),
      unit: 'x',
      ...(limits.p99 && { atMost: limits.p99 }),
    },
    { name: `the gateway's CPU beside it`, value: gatewayCpu, unit: '%' },
  ]
}

interface Pair {
  readonly quiet: number
  readonly beside: number
}

function ratio({ quiet, beside }: Pair): number {
  return beside / quiet
}
