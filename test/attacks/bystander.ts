// Organization B, a regular client: its response times without an attack and during one.
import { cpuMs } from '../harness/process-figures.ts'
import type { Make, Recorded } from '../harness/client.ts'
import { atMost, none, said } from '../harness/figures.ts'
import type { Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/gateway.ts'
import { fresh, isOk, quantileMs } from '../harness/load.ts'
import type { Stage } from '../harness/stage.ts'
import { outcomesOf } from './generate.ts'
import type { Generator } from './generate.ts'
import type { Report } from './job.ts'
import { atRest } from './rest.ts'

export const BYSTANDER = 2

/** Requests of a phase, which takes a minute. At a higher rate they would queue for the one slot that B may hold. */
const SAMPLES = 1000
const PER_SECOND = 16
const QUICK_SECONDS = 1

/** Limits of B's times during the attack, as multiples of those without; undefined: no limit. */
interface Limits {
  readonly p50?: number
  readonly p99?: number
}

/** @param begin called between the phases; its attack continues through the second one. */
export async function besideAttack(
  stage: Stage,
  gateway: Gateway,
  begin: () => Generator | Promise<Generator>,
  options: { readonly ask?: Make; readonly perSecond?: number; readonly limits?: Limits } = {},
): Promise<{ readonly figures: Figure[]; readonly report: Report; readonly seconds: number }> {
  const { isQuick } = stage
  const { ask = fresh('nap', BYSTANDER), perSecond = PER_SECOND, limits } = options
  const phase = isQuick ? QUICK_SECONDS : SAMPLES / perSecond
  await gateway.askMany(isQuick ? 20 : 100, 2, ask)
  const quiet = await gateway.loadFor(phase, perSecond, ask)
  const generator = await begin()
  const from = performance.now()
  const cpuBefore = cpuMs(gateway.pid)
  const during = await gateway.loadFor(phase, perSecond, ask)
  const gatewayCpu = (100 * (cpuMs(gateway.pid) - cpuBefore)) / (performance.now() - from)
  const generatorCpu = generator.cpuMs() / 1000
  const seconds = (performance.now() - from) / 1000
  const report = await generator.stop()
  const figures = [
    ...figuresOf(quiet, during, limits),
    said(`the gateway's CPU during the attack`, gatewayCpu, '%'),
    said(`the generator's CPU`, generatorCpu, 's'),
    said(`the attack's requests`, report.sent, undefined, outcomesOf(report)),
    ...(await atRest(gateway)),
  ]
  return { figures, report, seconds }
}

/** Figures: no refusal; medians and p99s of both phases, with the limits of their ratios. */
function figuresOf(
  quiet: readonly Recorded[],
  during: readonly Recorded[],
  limits: Limits = { p50: 3, p99: 6 },
): Figure[] {
  const quantiles = [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const
  return [
    said(`B's samples in each phase`, Math.min(quiet.length, during.length)),
    none(`B's refusals and failures`, during, response => !isOk(response)),
    ...quantiles.flatMap(([name, part]) => {
      const before = quantileMs(quiet, part)
      const ratio = quantileMs(during, part) / before
      const limit = limits[name]
      const beneath = `B's ${name} during the attack`
      return [
        said(`B's ${name} when quiet`, before, 'ms'),
        limit === undefined ? said(beneath, ratio, 'x') : atMost(beneath, ratio, limit, 'x'),
      ]
    }),
  ]
}
