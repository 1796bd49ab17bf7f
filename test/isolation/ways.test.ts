// Ways to reach another tenant: each is refused, or returns the rows that there would be without other tenants.
import { expect } from 'chai'
import { DefinitionErrors } from '../../src/definitions/findings.ts'
import type { Statement } from '../../src/definitions/definition.ts'
import { createClinics, loadClinics, METRICS, type Clinics } from './clinics.ts'
import { examplesIn } from '../harness/findings-table.ts'
import { statementsOf } from './statements.ts'

/** Totals of a report, by how their refusal begins. */
const TOTALS = examplesIn(String.raw`
columns.amount
  (select count(*) from marks)
  sum(amount) + (select max(fee_cents) from public.visits)
  sum(public.fee_of(amount::int))
  sum(amount) filter (where exists (table marks))
function pg_catalog.fee_of(integer)
  sum(fee_of(amount::int))
columns.amount.total: a subquery
  json_array(select mark from marks)
`)

function report(total: string): string {
  return `/*---
title: Приёмы
columns:
  name: { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: "${total}" }
key: [name]
summary: Всего {amount}.
---*/
select visit_id::text as name, fee_cents as amount from visits order by visit_id
`
}

async function compiled(files: Readonly<Record<string, string>>): Promise<Statement> {
  return (await loadClinics(files)).statement
}

describe('a way to another tenant', () => {
  let clinics: Clinics

  before(async () => {
    clinics = await createClinics('isolation')
  })

  after(() => clinics?.end())

  async function expectRefusal(begin: string, files: Readonly<Record<string, string>>) {
    let refusal: string
    try {
      await clinics.rows(await compiled(files), 1)
      refusal = 'it is executed'
    } catch (error) {
      refusal =
        error instanceof DefinitionErrors ? error.findings[0]!.message : (error as Error).message
    }
    expect(refusal.slice(0, begin.length)).to.equal(begin)
  }

  for (const { text } of statementsOf('own-rows')) {
    it(`returns own rows: ${text}`, async () => {
      await clinics.expectOwnRows(await compiled({ 'metrics/a.sql': METRICS + text }))
    })
  }

  for (const { text, heading } of statementsOf('refused')) {
    it(`is refused: ${text}`, () => expectRefusal(heading, { 'metrics/a.sql': METRICS + text }))
  }

  for (const {
    text: total,
    findings: [begin = ''],
  } of TOTALS) {
    it(`is refused as a total: ${total}`, () =>
      expectRefusal(begin, { 'reports/visits/a.sql': report(total) }))
  }
})
