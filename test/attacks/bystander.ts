// Organization B, a regular client: its response times without an attack, or beside other load, and during an attack.
import { cpuMs } from '../harness/process-figures.ts'
import type { Make, Recorded } from '../harness/client.ts'
import { atMost, none, said, type Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/scenario-gateway.ts'
import { fresh, isOk, quantileMs } from '../harness/load.ts'
import type { Stage } from '../harness/stage.ts'
import { outcomesOf, type Generator } from './generate.ts'
import type { Report } from './job.ts'
import { atRest } from './rest.ts'

export const BYSTANDER = 2

/** Requests of a phase, which takes a minute. */
const SAMPLES = 1000
const PER_SECOND = 16
const QUICK_SECONDS = 1

interface Options {
  readonly ask?: Make
  readonly perSecond?: number
  /** What the attack is compared with; default: nothing else is under way. */
  readonly compared?: { readonly when: string; readonly begin: () => Generator }
  /** Limits of B's times during the attack, as multiples of those without; undefined: no limit. */
  readonly limits?: { readonly p50?: number; readonly p99?: number }
}

/** @param begin called between the phases; its attack continues through the second one. */
export async function besideAttack(
  stage: Stage,
  gateway: Gateway,
  begin: () => Generator | Promise<Generator>,
  options: Options = {},
): Promise<{ readonly figures: Figure[]; readonly report: Report; readonly seconds: number }> {
  const { isQuick } = stage
  const { ask = fresh('nap', BYSTANDER), perSecond = PER_SECOND, compared, limits } = options
  const phase = isQuick ? QUICK_SECONDS : SAMPLES / perSecond
  await gateway.askMany(isQuick ? 20 : 100, 2, ask)
  const other = compared?.begin()
  const without = await gateway.loadFor(phase, perSecond, ask)
  await other?.stop()
  const generator = await begin()
  const from = performance.now()
  const cpuBefore = cpuMs(gateway.pid)
  const during = await gateway.loadFor(phase, perSecond, ask)
  const gatewayCpu = (100 * (cpuMs(gateway.pid) - cpuBefore)) / (performance.now() - from)
  const generatorCpu = generator.cpuMs() / 1000
  const seconds = (performance.now() - from) / 1000
  const report = await generator.stop()
  const figures = [
    ...figuresOf(without, during, compared?.when ?? 'when quiet', limits),
    said(`the gateway's CPU during the attack`, gatewayCpu, '%'),
    said(`the generator's CPU`, generatorCpu, 's'),
    said(`the attack's requests`, report.sent, undefined, outcomesOf(report)),
    ...(await atRest(gateway)),
  ]
  return { figures, report, seconds }
}

/** Figures: no refusal; medians and p99s of both phases, with the limits of their ratios. */
function figuresOf(
  without: readonly Recorded[],
  during: readonly Recorded[],
  when: string,
  limits: Options['limits'] = { p50: 3, p99: 6 },
): Figure[] {
  const quantiles = [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const
  return [
    said(`B's samples in each phase`, Math.min(without.length, during.length)),
    none(`B's refusals and failures`, during, response => !isOk(response)),
    ...quantiles.flatMap(([name, part]) => {
      const before = quantileMs(without, part)
      const ratio = quantileMs(during, part) / before
      const limit = limits[name]
      const beneath = `B's ${name} during the attack`
      return [
        said(`B's ${name} ${when}`, before, 'ms'),
        limit === undefined ? said(beneath, ratio, 'x') : atMost(beneath, ratio, limit, 'x'),
      ]
    }),
  ]
}
