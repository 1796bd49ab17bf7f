// Every definition that aggregates against its naive version, if it has one, on the large organization.
import type { Client } from 'pg'
import type { Definition } from '../../../src/definitions/definition.ts'
import { ourCatalog } from '../../sql/subject.ts'
import type { Bench } from '../bench.ts'
import { interleaved, roundsOf } from '../rounds.ts'
import type { Row } from '../row.ts'
import { median, ratioOf } from '../statistics.ts'
import type { Ratio } from '../statistics.ts'
import { voidReason } from '../void-rule.ts'
import { naiveMetrics, naiveReport } from './naive-definitions.ts'
import { REGISTERS, thisYear } from './questions.ts'
import type { Asked } from './questions.ts'
import { makeNaiveSchema } from './schemas.ts'
import { CAUGHT_UP_MS, connectAsOwner, connectOn } from './sessions.ts'

const NAME = 'tuned SQL against naive'
const LEAST = 10
/** Of `make bench-quick`. */
const HANDFUL = new Set(['income_by_category', 'profit_loss', 'customers_abc', 'tasks_by_assignee'])
/** A statement is repeated for so long in a round, so that a short one is no single sample. */
const ROUND_MS = 100

interface Pair {
  readonly tuned: Definition
  readonly naive: Definition
}

interface Compared extends Ratio {
  readonly name: string
  readonly tunedMs: number
  readonly naiveRounds: readonly number[]
}

export async function tunedAgainstNaive(bench: Bench): Promise<Row> {
  bench.progress('sql: making the naive schema')
  const owner = await connectAsOwner(bench)
  await makeNaiveSchema(owner, 'naive')
  await bench.product.cluster.replicaCaughtUp(CAUGHT_UP_MS)
  const tuned = await connectOn('public', bench)
  const naive = await connectOn('naive', bench)
  const compared: Compared[] = []
  for (const pair of pairs(bench.quick)) {
    bench.signal.throwIfAborted()
    compared.push(await compare(bench, pair, { tuned, naive }))
  }
  await owner.query('drop schema naive cascade')
  return rowOf(compared)
}

function pairs(quick: boolean): Pair[] {
  const { reports, metricsFiles } = ourCatalog()
  const isAsked = ({ name }: Definition) => !REGISTERS.has(name) && (!quick || HANDFUL.has(name))
  return [
    ...[...reports.values()].filter(isAsked).flatMap(tuned => pairOf(tuned, naiveReport(tuned))),
    ...[...metricsFiles.values()]
      .filter(isAsked)
      .flatMap(tuned => pairOf(tuned, naiveMetrics(tuned))),
  ]
}

/** None for a definition without a naive one. */
function pairOf(tuned: Definition, naive: Definition | undefined): Pair[] {
  return naive === undefined ? [] : [{ tuned, naive }]
}

async function compare(
  bench: Bench,
  { tuned, naive }: Pair,
  on: Readonly<Record<'tuned' | 'naive', Client>>,
): Promise<Compared> {
  const { large } = bench.product.named
  const measured = await interleaved(
    [
      { name: 'tuned', measure: () => timeOf(on.tuned, tuned.name, thisYear(tuned, large)) },
      { name: 'naive', measure: () => timeOf(on.naive, naive.name, thisYear(naive, large)) },
    ],
    { rounds: 3, signal: bench.signal },
  )
  const tunedRounds = roundsOf(measured, 'tuned')
  const naiveRounds = roundsOf(measured, 'naive')
  const ratio = ratioOf(naiveRounds, tunedRounds)
  const tunedMs = median(tunedRounds)
  bench.progress(
    `sql: ${tuned.name} ${tunedMs.toFixed(1)} ms against ${median(naiveRounds).toFixed(0)} ms, ${ratio.value.toFixed(1)}x`,
  )
  return { name: tuned.name, tunedMs, naiveRounds, ...ratio }
}

/** Prepared, with plans for these values; the median of its runs. */
async function timeOf(client: Client, name: string, { text, values }: Asked): Promise<number> {
  const times: number[] = []
  const start = performance.now()
  do {
    const before = performance.now()
    await client.query({ name, text, values: [...values], rowMode: 'array', types: AS_PRINTED })
    times.push(performance.now() - before)
  } while (performance.now() - start < ROUND_MS)
  return median(times)
}

const AS_PRINTED = { getTypeParser: () => (value: string) => value }

function rowOf(compared: readonly Compared[]): Row {
  const [worst] = compared.toSorted((a, b) => a.value - b.value)
  if (worst === undefined) throw new Error('no definition was compared')
  const reason = voidReason({ name: `naive ${worst.name}`, rounds: worst.naiveRounds })
  const short = compared.filter(({ value }) => value < LEAST)
  const notes = [
    `the least of ${compared.length} definitions, ${worst.name}; ${[...REGISTERS].join(', ')} are registers and are not counted`,
    "the naive tables have the product's primary keys and an index on organization_id; parallel workers are off in both",
    ...(short.length === 0
      ? []
      : [
          `below ${LEAST}: ${short.map(({ name, value }) => `${name} ${value.toFixed(1)}`).join(', ')}`,
        ]),
  ]
  return {
    name: NAME,
    value: worst.value,
    unit: 'x',
    spread: worst.spread,
    target: { atLeast: LEAST },
    figures: Object.fromEntries(
      compared.flatMap(({ name, tunedMs, naiveRounds, value }) => [
        [`${name}, ms`, tunedMs],
        [`${name} naive, ms`, median(naiveRounds)],
        [`${name}, x`, value],
      ]),
    ),
    note: notes.join('; '),
    ...(reason === undefined ? {} : { void: reason }),
  }
}
