// One scenario from its start to its verdict, even if it fails.
import { createClosers } from './closers.ts'
import type { Recorded } from './client.ts'
import { liesOf } from './entries.ts'
import type { Figure } from './figures.ts'
import { violationsOf } from './invariants.ts'
import { Missing, type Outcome, type Scenario } from './scenario.ts'
import { createStage, type Stage } from './stage.ts'

const LONGEST_MS = 180_000

export async function runScenario(
  scenario: Scenario,
  base: Pick<Stage, 'servers' | 'folder' | 'watchdog' | 'isQuick'>,
  log: (text: string) => void = () => undefined,
): Promise<Outcome> {
  const startedAt = performance.now()
  const undoing = createClosers()
  const closing = createClosers()
  const stage = createStage(base, undoing, closing)
  let figures: readonly Figure[] = []
  let broke: string | undefined
  let missing: string | undefined
  try {
    figures = await within(scenario.longestMs ?? LONGEST_MS, scenario.run(stage))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof Missing) missing = reason
    else broke = reason
  }
  const violations = (await undoing.closeAll()).map(error => `not undone: ${String(error)}`)
  await base.servers.restore()
  for (const gateway of stage.gateways) {
    violations.push(...(await liesOf(gateway.records, base.servers.primary)))
    violations.push(...(await violationsOf(gateway, stage).catch(error => [String(error)])))
    log(gateway.out)
  }
  const responses = stage.gateways.map(({ records }) => responsesOf(records))
  await closing.closeAll()
  const seconds = (performance.now() - startedAt) / 1000
  return { scenario, figures, violations, responses, broke, missing, seconds }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms / 1000} s`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** `200: 950, 503 replica_unavailable: 50` */
function responsesOf(records: readonly Recorded[]): string {
  const counts = new Map<string, number>()
  for (const { status, code, left, torn } of records) {
    const kind = left ? 'left' : torn === undefined ? `${status} ${code ?? ''}`.trim() : 'torn'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, number]) => `${kind}: ${number}`).join(', ')
}
