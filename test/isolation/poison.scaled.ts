// Values of another organization that break casts, divisions, patterns and dates: a definition does not evaluate them.
import { expect } from 'chai'
import { createClinics, loadClinics, METRICS, TENANCY, type Clinics } from './clinics.ts'
import {
  AT_ITS_PRICE,
  EXPRESSIONS,
  FENCES,
  PLACES,
  readingsOf,
  SETTINGS,
  TENANCY as READINGS,
} from './poison.ts'
import { productSql } from '../harness/fixtures.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { statementsOf } from './statements.ts'

/** In `make test` one expression for each place, each of them, and two kinds of plans. */
const STATEMENTS = PLACES.flatMap(([place, statement], at) =>
  EXPRESSIONS.filter((_, index) => IS_PROOF || (index - at) % EXPRESSIONS.length === 0).map(
    expression => ({ title: `${place}: ${expression}`, text: statement(expression) }),
  ),
)

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

  for (const [text, what] of FENCES) {
    it(`are fenced for ${what}: ${text}`, async () => {
      const { source } = await loaded(text)
      const note = source.notes.find(({ message }) => message.includes(' may fail '))
      expect(note?.message.split(' may fail ')[0] ?? 'nothing').to.equal(what)
      if (note !== undefined) expect(note.line).to.equal(METRICS.split('\n').length)
    })
  }

  for (const { text } of [...AT_ITS_PRICE, ...statementsOf('own-rows')]) {
    it(`do not reach ${text}`, () => expectUntouched(text))
  }
})
