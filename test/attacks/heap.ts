// The gateway's heap after a full collection of garbage: its snapshot, and its size.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../src/demo/processes.ts'
import { sumOf } from '../harness/exposition.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Figure } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'

/** Settings of a gateway whose heap is looked into. @see https://nodejs.org/api/cli.html#--heapsnapshot-signalsignal */
export const WITH_SNAPSHOTS = { NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2' }

/** Node collects all garbage before it writes one. */
export async function takeSnapshot({ folder }: World, gateway: Gateway): Promise<string> {
  const written = (): string | undefined =>
    readdirSync(folder).find(name => name.endsWith('.heapsnapshot'))
  gateway.signal('SIGUSR2')
  const isWritten = async (): Promise<boolean> =>
    written() !== undefined && (await gateway.readyStatus()) === 200
  if (!(await eventually(isWritten, 60_000))) throw new Error('no heap snapshot within 60 s')
  const file = join(folder, written() ?? '')
  const text = readFileSync(file, 'latin1')
  rmSync(file)
  return text
}

async function usedHeapMiB(world: World, gateway: Gateway): Promise<number> {
  await takeSnapshot(world, gateway)
  return sumOf(await gateway.metrics(), 'nodejs_heap_size_used_bytes') / 2 ** 20
}

/** @returns a figure of how much more is used after the work than before; none in a quick part, which proves nothing. */
export async function heapGrowth(
  world: World,
  gateway: Gateway,
  atMostMiB: number,
  work: () => Promise<unknown>,
): Promise<Figure[]> {
  if (world.isQuick) {
    await work()
    return []
  }
  const before = await usedHeapMiB(world, gateway)
  await work()
  const value = (await usedHeapMiB(world, gateway)) - before
  return [{ name: 'used heap grown', value, unit: 'MiB', atMost: atMostMiB }]
}
