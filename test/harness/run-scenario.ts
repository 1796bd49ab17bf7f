// One scenario from its start to its verdict, whatever becomes of it.
import { createClosers } from '../bench/closers.ts'
import { liesOf } from './entries.ts'
import { violationsOf } from './invariants.ts'
import type { Recorded } from './recorder.ts'
import { Missing } from './scenario.ts'
import type { Figure, Outcome, Scenario } from './scenario.ts'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

const LONGEST_MS = 180_000

export async function runScenario(
  group: string,
  scenario: Scenario,
  base: Pick<World, 'servers' | 'folder' | 'watchdog' | 'isQuick'>,
  options: { readonly log?: (text: string) => void } = {},
): Promise<Outcome> {
  const startedAt = performance.now()
  const undoing = createClosers()
  const closing = createClosers()
  const world = createWorld({ ...base, undoing, closing })
  let figures: readonly Figure[] = []
  let broke: string | undefined
  let missing: string | undefined
  const violations: string[] = []
  try {
    figures = await within(scenario.longestMs ?? LONGEST_MS, scenario.run(world))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof Missing) missing = reason
    else broke = reason
  }
  for (const error of await undoing.closeAll()) violations.push(`not undone: ${String(error)}`)
  await base.servers.restore()
  const { servers } = base
  for (const gateway of world.gateways) {
    const { faulty, tornAllowed, hasOtherClients } = world
    const expected = { faulty, tornAllowed, hasOtherClients }
    const nodes = await servers.all()
    violations.push(...(await liesOf(gateway.records, servers.primary)))
    violations.push(
      ...(await violationsOf(gateway, nodes, expected).catch((error: unknown) => [String(error)])),
    )
  }
  if (options.log) for (const gateway of world.gateways) options.log(gateway.log())
  const answers = world.gateways.map(({ records }) => answersOf(records))
  await closing.closeAll()
  return {
    group,
    scenario,
    figures,
    violations,
    answers,
    ...(broke !== undefined && { broke }),
    ...(missing !== undefined && { missing }),
    seconds: (performance.now() - startedAt) / 1000,
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** `200: 950, 503 replica_unavailable: 50` */
function answersOf(records: readonly Recorded[]): string {
  const counts = new Map<string, number>()
  for (const { status, code, left, torn } of records) {
    const kind = left ? 'left' : torn === undefined ? `${status} ${code ?? ''}`.trim() : 'torn'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, number]) => `${kind}: ${number}`).join(', ')
}
