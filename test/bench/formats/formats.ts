// The group `formats`: a register of 1,000,000 rows in every format, with a slow reader beside it and hits meanwhile.
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import { portOf, startAsker } from '../misses/ask.ts'
import type { Asker } from '../misses/ask.ts'
import type { Asked } from '../misses/asker.ts'
import { RUN_IT } from '../misses/raw-connection.ts'
import { longestStall, watchedBy } from '../misses/stall.ts'
import { closedTargetOf, subjectOf } from '../misses/subject.ts'
import type { Subject } from '../misses/subject.ts'
import type { Group, Row } from '../row.ts'
import { quantile } from '../../support/quantile.ts'
import { median } from '../statistics.ts'
import { voidIfBusy } from '../void-rule.ts'

const MEBIBYTE = 2 ** 20
const SIPPED_BYTES_PER_SECOND = 8 * 1024
/** More of it for five times the rows would be memory that grows with them. */
const FLAT_MIB = 16

interface Shape {
  readonly name: string
  readonly suffix: string
  readonly parameter?: string
  readonly acceptEncoding?: string
}

const SHAPES: readonly Shape[] = [
  { name: 'JSON', suffix: '.json' },
  { name: 'JSON, br', suffix: '.json', acceptEncoding: 'br' },
  { name: 'JSON, gzip', suffix: '.json', acceptEncoding: 'gzip' },
  { name: 'NDJSON', suffix: '.ndjson' },
  { name: 'CSV', suffix: '.csv' },
  { name: 'CSV for Excel', suffix: '.csv', parameter: 'preset=excel' },
  { name: 'XLSX', suffix: '.xlsx' },
  { name: 'Parquet', suffix: '.parquet' },
]

export const formats: Group = {
  name: 'formats',
  async rows(bench) {
    if (bench.quick) return []
    const rows: Row[] = []
    for (const shape of SHAPES) {
      bench.signal.throwIfAborted()
      bench.progress(`1,000,000 rows as ${shape.name}`)
      rows.push(await rowOf(bench, shape))
    }
    return rows
  },
}

interface Download {
  readonly seconds: number
  readonly mebibytes: number
  readonly peakMiB: number
  readonly stallMs: number
  readonly hitMs: readonly number[]
}

async function rowOf(bench: Bench, shape: Shape): Promise<Row> {
  const { named } = bench.product
  const fewer = await download(bench, subjectOf(named['two hundred thousand'], 'operations'), shape)
  const all = await download(bench, subjectOf(named.million, 'operations'), shape)
  return {
    name: `peak memory, 1,000,000 rows as ${shape.name}, over that of 200,000`,
    value: all.peakMiB - fewer.peakMiB,
    unit: 'MiB',
    target: { atMost: FLAT_MIB },
    ...voidIfBusy(bench),
    figures: {
      'peak, MiB': all.peakMiB,
      'download, s': all.seconds,
      'download, MiB': all.mebibytes,
      'longest stall, ms': all.stallMs,
      'hits meanwhile': all.hitMs.length,
      'hits meanwhile, median ms': median(all.hitMs),
      'hits meanwhile, p99 ms': quantile(all.hitMs, 0.99),
    },
  }
}

/** From a fresh gateway, whose peak is that of this download, of a slow reader of the same and of hits. */
async function download(bench: Bench, subject: Subject, shape: Shape): Promise<Download> {
  const file = join(bench.folder, 'formats-stall.json')
  const gateway = await startGateway(bench, watchedBy(file))
  const reader = startAsker(bench)
  const hitter = startAsker(bench)
  const dawdler = startAsker(bench)
  const asked = askedOf(portOf(gateway), subject, shape)
  const hit = { ...asked, target: closedTargetOf('income_by_category'), headers: '' }
  await hitter.time(hit, 2)
  await longestStall(gateway.pid, file)
  const hits = hitter.repeat(hit)
  const { seconds, byteCount } = await besideADawdler(dawdler, reader, asked)
  const { ms } = await hits()
  const { ms: stallMs } = await longestStall(gateway.pid, file)
  const peakMiB = gateway.peakMemoryBytes() / MEBIBYTE
  await gateway.stop()
  return { seconds, mebibytes: byteCount / MEBIBYTE, peakMiB, stallMs, hitMs: ms }
}

function askedOf(port: number, { target, key }: Subject, shape: Shape): Asked {
  const { suffix, parameter, acceptEncoding } = shape
  const [path = '', query = ''] = target.split('?')
  const headers = acceptEncoding === undefined ? '' : `Accept-Encoding: ${acceptEncoding}\r\n`
  return {
    port,
    key,
    target: `${path}${suffix}?${query}${parameter === undefined ? '' : `&${parameter}`}`,
    headers: headers + RUN_IT,
  }
}

async function besideADawdler(
  dawdler: Asker,
  reader: Asker,
  asked: Asked,
): Promise<{ readonly seconds: number; readonly byteCount: number }> {
  const dawdled = dawdler.dawdle(asked, SIPPED_BYTES_PER_SECOND)
  const { seconds, byteCount } = await reader.time(asked, 1)
  await dawdled()
  return { seconds, byteCount }
}
