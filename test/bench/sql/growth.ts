// What each definition reads for one organization, when the others have ten times as many rows as today. Counted in
// buffers, which a busy machine does not change.
import type { Client } from 'pg'
import { explainStatement } from '../../../src/plans/explain.ts'
import type { Definition } from '../../../src/definitions/definition.ts'
import { ourCatalog } from '../../sql/subject.ts'
import type { Bench } from '../bench.ts'
import type { Row } from '../row.ts'
import { REGISTERS, thisYear } from './questions.ts'
import { makeSmallerSchema } from './schemas.ts'
import { CAUGHT_UP_MS, connectAsOwner, connectOn } from './sessions.ts'

const NAME = "buffers of each report at ten times the other organizations' rows against today"
const MOST = 1.1

interface Grown {
  readonly name: string
  readonly today: number
  readonly later: number
  readonly ratio: number
}

/** The product as it was seeded is that of later; today's is made of it. */
export async function growth(bench: Bench): Promise<Row> {
  bench.progress('sql: making the schema of today')
  const owner = await connectAsOwner(bench)
  const { 'ten thousand': subject } = bench.product.named
  await makeSmallerSchema(owner, 'today', subject.id)
  await bench.product.cluster.replicaCaughtUp(CAUGHT_UP_MS)
  const today = await connectOn('today', bench)
  const later = await connectOn('public', bench)
  const { reports, metricsFiles } = ourCatalog()
  const grown: Grown[] = []
  for (const definition of [...reports.values(), ...metricsFiles.values()]) {
    bench.signal.throwIfAborted()
    const asked = [today, later].map(client => buffersOf(client, definition))
    const [before = Number.NaN, after = Number.NaN] = await Promise.all(asked)
    grown.push({ name: definition.name, today: before, later: after, ratio: after / before })
  }
  await owner.query('drop schema today cascade')
  return rowOf(grown)

  async function buffersOf(client: Client, definition: Definition): Promise<number> {
    const { text, values } = thisYear(definition, subject)
    const { buffers } = await explainStatement(client, text, values, { timing: false })
    return buffers
  }
}

function rowOf(grown: readonly Grown[]): Row {
  const [worst] = grown.toSorted((a, b) => b.ratio - a.ratio)
  if (worst === undefined) throw new Error('no definition was counted')
  const more = grown.filter(({ ratio }) => ratio > MOST)
  return {
    name: NAME,
    value: worst.ratio,
    unit: 'x',
    target: { atMost: MOST },
    figures: Object.fromEntries(
      grown.flatMap(({ name, today, later, ratio }) => [
        [`${name}, buffers today`, today],
        [`${name}, buffers later`, later],
        [`${name}, x`, ratio],
      ]),
    ),
    note: `the most of ${grown.length} definitions, ${worst.name}; registers (${[...REGISTERS].join(', ')}) read the rows themselves, whose pages others come to share; above ${MOST}: ${
      more.map(({ name, today, later }) => `${name} ${today} to ${later}`).join(', ') || 'none'
    }`,
  }
}
