// Values of another organization that break casts, divisions, patterns and dates: a definition does not evaluate them.
import { expect } from 'chai'
import { createClinics, loadClinics, METRICS, TENANCY, type Clinics } from './clinics.ts'
import { productSql } from '../harness/fixtures.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { statementsOf } from './statements.ts'

const READINGS = `
readings: via visits (visit_id = visit_id)
details: via readings (reading_id = reading_id)
octet_length(): shared
`

function readingsOf(isPoison: boolean): string {
  const id = `3000 + 2 * row_number() over () + ${isPoison ? 1 : 0}`
  const values = isPoison
    ? String.raw`'n/a', 0, 2147483647, 9223372036854775807, 'infinity', '-infinity', '[%\', 'Nowhere/City', '{', array[0]`
    : `'42', 1 + n, 7, 7, date '2026-03-01' + n, timestamptz '2026-03-01 12:00+03', '4', 'Europe/Moscow', '{"a": 1}', array[n]`
  const visits = `visits where at_clinic = ${isPoison ? 2 : 1}`
  return `
insert into readings select ${id}, visit_id, ${values} from generate_series(1, ${isPoison ? 40 : 3}) as n, ${visits};
insert into details select reading_id, reading_id, num from readings where txt ${isPoison ? '=' : '<>'} 'n/a';
${isPoison ? productSql('poison') : ''}`
}

const onReadings = (text: string): string =>
  text.replaceAll('<of>', 'visits as v join readings as r on r.visit_id = v.visit_id')

/** In `make test` one expression for each place, each of them, and two kinds of plans. */
const STATEMENTS = statementsOf('places').flatMap(({ heading, text }, at) =>
  statementsOf('expressions')
    .filter((_, index, all) => IS_PROOF || (index - at) % all.length === 0)
    .map(({ text: expression }) => ({
      title: `${heading}: ${expression}`,
      text: onReadings(text).replaceAll('<e>', () => expression),
    })),
)

const PARALLEL =
  'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0; set min_parallel_index_scan_size = 0;'

/** Of sessions: they change the order in which PostgreSQL evaluates expressions. */
const SETTINGS: Readonly<Record<string, string>> = {
  usual: '',
  'no indexes': 'set enable_indexscan = off; set enable_bitmapscan = off',
  'nested loops':
    'set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off',
  'merge joins': 'set enable_hashjoin = off; set enable_nestloop = off; set enable_hashagg = off',
  'joins as written': 'set join_collapse_limit = 1; set from_collapse_limit = 1',
  parallel: PARALLEL,
  'parallel merge joins': `${PARALLEL} set enable_hashjoin = off; set enable_nestloop = off; set enable_hashagg = off`,
}

const PLANS = Object.entries(SETTINGS)
  .filter((_, at) => IS_PROOF || at % 3 === 0)
  .slice(0, IS_PROOF ? undefined : 2)

describe('values of another organization', function () {
  this.timeout(240_000)
  let clinics: Clinics

  before(async () => {
    const rows = (clinic: number) => readingsOf(clinic === 2)
    clinics = await createClinics('isolation_poison', productSql('readings'), rows)
    await clinics.together.query('analyze')
  })

  after(() => clinics?.end())

  const loaded = (text: string) =>
    loadClinics({ 'tenancy.yaml': TENANCY + READINGS, 'metrics/a.sql': METRICS + text })

  async function expectUntouched(text: string) {
    const { statement } = await loaded(text)
    const own = await clinics.ownRows(statement, 1)
    expect(own).to.not.deep.equal([])
    for (const [name, settings] of PLANS) {
      await clinics.together.query(`reset all; ${settings}`)
      const found = await clinics.rows(statement, 1).catch(({ message }: Error) => message)
      expect(found, name).to.deep.equal(own)
    }
  }

  for (const { title, text } of STATEMENTS) {
    it(`do not reach a ${title}`, () => expectUntouched(text))
  }

  for (const { heading: what, text } of statementsOf('fenced')) {
    it(`are fenced for ${what}: ${text}`, async () => {
      const { source } = await loaded(onReadings(text))
      const note = source.notes.find(({ message }) => message.includes(' may fail '))
      expect(note?.message.split(' may fail ')[0] ?? 'nothing').to.equal(what)
      if (note !== undefined) expect(note.line).to.equal(METRICS.split('\n').length)
    })
  }

  for (const { text } of statementsOf('own-rows')) {
    it(`do not reach ${text}`, () => expectUntouched(text))
  }
})
