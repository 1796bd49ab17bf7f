// Leaks between organizations, and correct statements, on a second product's catalog.
import { expect } from 'chai'
import { draftOf, type Draft } from '../../src/author/check/rules/draft.ts'
import { readProductFunctions } from '../../src/author/check/product-functions.ts'
import { withSnapshot } from '../../src/author/check/session.ts'
import { readCatalogTables } from '../../src/author/sql/catalog-tables.ts'
import { parseTenancy } from '../../src/author/tenancy/tenancy-file.ts'
import { hintsOf } from '../../src/author/tenancy/tenancy-hints.ts'
import { tenanciesOfDatabase } from '../../src/author/tenancy/database-tenancies.ts'
import type { Tenancies } from '../../src/author/tenancy/tenancy.ts'
import { findingsOf } from '../../src/definitions/findings.ts'
import { checkIsolation } from '../../src/author/tenancy/tenant-isolation.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'
import { CLINICS_SCHEMA, CLINICS_TENANCY } from './clinics.ts'
import { LEAKS, TOTALS, UNPROVED, VALID } from './statements.ts'

const DATABASE = 'svodka_clinics'

async function draft(statement: string, total = 'sum(amount)'): Promise<Draft> {
  const text = `/*---
title: Visits
columns:
  name: { title: Name, type: text }
  amount: { title: Amount, type: money, total: "${total}" }
key: [name]
summary: Всего {amount}.
---*/
${statement.trim()}
`
  const made = await draftOf({ file: 'x.sql', code: 'x', version: '', text }, 'report', parseSql)
  if (made === undefined) throw new Error(`cannot be parsed: ${statement}`)
  return made
}

describe('tenant isolation', () => {
  let tenancies: Tenancies

  before(async function () {
    this.timeout(30_000)
    const client = await connectTo((await createTestDatabase(DATABASE, CLINICS_SCHEMA)).primaryUrl)
    const hints = {
      ...hintsOf([]),
      file: parseTenancy(CLINICS_TENANCY, 'sql/tenancy.yaml'),
      ids: [{ schema: undefined, table: 'clinic_keys', column: 'clinic' }],
    }
    tenancies = await withSnapshot(client, async session => {
      const tables = await readCatalogTables(text => session.rows(text))
      return tenanciesOfDatabase(tables, await readProductFunctions(session), hints)
    })
    await client.end()
  })

  async function isolation(
    statement: string,
    total?: string,
  ): Promise<{
    findings: Array<{ line: number | undefined; message: string }>
    unproved: readonly string[]
  }> {
    const { findings, unproved } = checkIsolation(await draft(statement, total), tenancies)
    return { findings: findingsOf('x.sql', findings), unproved }
  }

  it('knows the tenancy of each table', () => {
    expect(tenancies.findings).to.deep.equal([])
    const kindOf = (name: string, schema?: string) => {
      const { tenancy } = tenancies.of({ name, schema }) ?? {}
      if (tenancy?.kind === 'tenant') return tenancy.column
      return tenancy?.kind === 'child' ? `via ${tenancy.links[0]?.parent}` : tenancy?.kind
    }
    const kinds = {
      clinics: 'clinic_no',
      clinic_keys: 'clinic',
      visits: 'at_clinic',
      visit_lines: 'via public.visits',
      line_notes: 'via public.visit_lines',
      events: 'clinic_no',
      marks: 'clinic_no',
      wards: 'clinic_no',
      visit_fees: 'at_clinic',
      line_list: 'via public.visits',
      daily_visits: 'at_clinic',
      referrals: 'from_clinic',
      drugs: 'shared',
      patients: 'unknown',
    }
    for (const [name, kind] of Object.entries(kinds)) expect(kindOf(name), name).to.equal(kind)
    expect(kindOf('samples', 'lab')).to.equal('clinic_no')
    expect(kindOf('results', 'lab')).to.equal('via lab.samples')
    expect(kindOf('samples')).to.equal(undefined)
  })

  for (const statement of VALID) {
    it(`holds in ${statement.trim()}`, async () => {
      expect(await isolation(statement)).to.deep.equal({ findings: [], unproved: [] })
    })
  }

  for (const [words, statement] of LEAKS) {
    it(`does not hold in ${statement.trim()}`, async () => {
      const { findings } = await isolation(statement)
      const lines = statement.trim().split('\n')
      const expected = lines.flatMap((line, at) => (line.includes('-- !') ? [at + 9] : []))
      expect(findings.map(({ line }) => line)).to.deep.equal(expected)
      expect(findings.map(({ message }) => message).join('\n')).to.include(words)
    })
  }

  for (const [total, isRight] of TOTALS) {
    it(`${isRight ? 'holds' : 'does not hold'} in the total ${total}`, async () => {
      const { findings } = await isolation(
        `select visits.visit_id::text as name, visits.fee_cents as amount
from visits where visits.at_clinic = :organization_id order by visits.visit_id`,
        total,
      )
      expect(findings.map(({ line }) => line)).to.deep.equal(isRight ? [] : [5])
    })
  }

  for (const statement of UNPROVED) {
    it(`is not proved in ${statement.trim()}`, async () => {
      const { findings, unproved } = await isolation(statement)
      expect(findings).to.deep.equal([])
      expect(unproved).to.have.length(1)
    })
  }
})
