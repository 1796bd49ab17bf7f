// A child's condition is left out only where the statement itself links it to its parent.
import { expect } from 'chai'
import { rowsOf } from '../../src/definitions/tenant-rows.ts'
import { productSql } from '../harness/fixtures.ts'
import { CLINICS, createClinics, loadClinics, METRICS, TENANCY, type Clinics } from './clinics.ts'
import { statementsOf } from './statements.ts'

const SLOTS_TENANCY = `
slots: clinic_no
slot_notes: via slots (room = room, hour = hour)
`

function slotsOf(clinic: number): string {
  const own = `from generate_series(1, 4) as room, generate_series(1, 4) as hour where (room + hour) % 2 = ${clinic - 1}`
  return `
insert into slots select room, hour, ${clinic} ${own};
insert into slot_notes select room, hour, 'note of ${clinic}' ${own};`
}

async function compiled(text: string) {
  const files = { 'tenancy.yaml': TENANCY + SLOTS_TENANCY, 'metrics/a.sql': METRICS + text }
  const { statement, source } = await loadClinics(files)
  const rows = rowsOf(source.tenancy.tables)
  const sent = statement.text('smallint')
  /** Whether conditions of children are left out. */
  const isBare = !sent.includes('(select from ')
  return {
    statement,
    isBare,
    bare: source.over(table => rows(table, 'linked')),
  }
}

describe('a child', () => {
  let clinics: Clinics

  before(async () => {
    clinics = await createClinics('isolation_links', productSql('slots'), slotsOf)
  })

  after(() => clinics?.end())

  for (const { text } of statementsOf('linked')) {
    it(`is linked to its parent: ${text}`, async () => {
      const { statement, isBare } = await compiled(text)
      expect(isBare).to.equal(true)
      await clinics.expectOwnRows(statement)
    })
  }

  for (const { text } of statementsOf('unlinked')) {
    it(`is not linked, and shows others' rows if it were bare: ${text}`, async () => {
      const { statement, bare } = await compiled(text)
      await clinics.expectOwnRows(statement)
      let leaks = 0
      for (const clinic of CLINICS) {
        const own = await clinics.ownRows(bare, clinic)
        if (JSON.stringify(await clinics.rows(bare, clinic)) !== JSON.stringify(own)) leaks += 1
      }
      expect(leaks).to.be.above(0)
    })
  }

  for (const { text } of statementsOf('undecided')) {
    it(`has its condition: ${text}`, async () => {
      const { statement, isBare } = await compiled(text)
      expect(isBare).to.equal(false)
      await clinics.expectOwnRows(statement)
    })
  }
})
