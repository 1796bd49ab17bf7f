// What a large answer costs in memory: the peak of a fresh gateway that streams it, a slow reader beside it.
import type { Bench } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import { interleaved, roundsOf } from '../rounds.ts'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'
import { busyReason, voidReason } from '../void-rule.ts'
import { portOf, startAsker } from './ask.ts'
import type { Asker } from './ask.ts'
import type { Asked } from './asker.ts'
import { subjectOf } from './subject.ts'

const MEBIBYTE = 2 ** 20
const SIPPED_BYTES_PER_SECOND = 8 * 1024
/** Answers of 10,000 rows, one after another: as many rows, so that the size of an answer alone differs. */
const AS_MANY = 100

export async function memoryRow(bench: Bench): Promise<Row> {
  const { named } = bench.product
  const few = subjectOf(named['ten thousand'], 'operations')
  const many = subjectOf(named.million, 'operations')
  const reader = startAsker(bench)
  const dawdler = startAsker(bench)

  const peakMiB = async (ask: (port: number) => Promise<unknown>): Promise<number> => {
    const gateway = await startGateway(bench)
    await ask(portOf(gateway))
    const bytes = gateway.peakMemoryBytes()
    await gateway.stop()
    return bytes / MEBIBYTE
  }
  const measured = await interleaved(
    [
      { name: 'few', measure: () => peakMiB(port => reader.time({ ...few, port }, AS_MANY)) },
      {
        name: 'many',
        measure: () => peakMiB(port => besideADawdler(dawdler, reader, { ...many, port })),
      },
    ],
    {
      rounds: 3,
      warmUp: false,
      signal: bench.signal,
      progress: words => bench.progress(`memory of 1,000,000 rows: ${words}`),
    },
  )
  const fewMiB = roundsOf(measured, 'few')
  const manyMiB = roundsOf(measured, 'many')
  const more = manyMiB.map((mib, round) => mib - (fewMiB[round] ?? Number.NaN))
  const reason =
    busyReason(bench.busyCoresBefore) ??
    voidReason({ name: 'the peak of 10,000 rows', rounds: fewMiB })
  return {
    name: 'peak memory, 1,000,000 rows and a slow reader, over that of 100 times 10,000',
    value: median(manyMiB) - median(fewMiB),
    unit: 'MiB',
    spread: [Math.min(...more), Math.max(...more)],
    target: { atMost: 16 },
    figures: {
      '100 times 10,000 rows, MiB': median(fewMiB),
      '1,000,000 rows, MiB': median(manyMiB),
    },
    ...(reason === undefined ? {} : { void: reason }),
  }
}

/** @throws Error where the slow reader got nothing: nobody has read slowly then. */
async function besideADawdler(dawdler: Asker, reader: Asker, asked: Asked): Promise<void> {
  const dawdled = dawdler.dawdle(
    { port: asked.port, target: asked.target, key: asked.key },
    SIPPED_BYTES_PER_SECOND,
  )
  await reader.time({ port: asked.port, target: asked.target, key: asked.key }, 1)
  const { byteCount } = await dawdled()
  if (byteCount === 0) throw new Error('the slow reader got nothing')
}
