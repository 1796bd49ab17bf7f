// The gateway's heap after a full garbage collection.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../src/demo/processes.ts'
import { atMost, type Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/scenario-gateway.ts'
import type { Stage } from '../harness/stage.ts'

/** Settings of a gateway whose heap is measured. @see https://nodejs.org/api/cli.html#--heapsnapshot-signalsignal */
export const WITH_SNAPSHOTS = { NODE_OPTIONS: '--heapsnapshot-signal=SIGWINCH' }

/** Node collects all garbage before it writes a snapshot. */
async function usedHeapMiB({ folder }: Stage, gateway: Gateway): Promise<number> {
  const written = (): string | undefined =>
    readdirSync(folder).find(name => name.endsWith('.heapsnapshot'))
  gateway.child.kill('SIGWINCH')
  const isWritten = async (): Promise<boolean> =>
    written() !== undefined && (await gateway.readyStatus()) === 200
  if (!(await eventually(isWritten, 60_000))) throw new Error('no heap snapshot within 60 s')
  rmSync(join(folder, written() ?? ''))
  return (await gateway.total('nodejs_heap_size_used_bytes')) / 2 ** 20
}

/** @returns the growth during the work as a figure; none in a quick run, which is too short. */
export async function heapGrowth(
  stage: Stage,
  gateway: Gateway,
  atMostMiB: number,
  work: () => Promise<unknown>,
): Promise<Figure[]> {
  const before = stage.isQuick ? 0 : await usedHeapMiB(stage, gateway)
  await work()
  if (stage.isQuick) return []
  const grown = (await usedHeapMiB(stage, gateway)) - before
  return [atMost('growth of the used heap', grown, atMostMiB, 'MiB')]
}
