// Ways to reach another tenant: each is refused, or returns the rows that there would be without other tenants.
import { expect } from 'chai'
import type { Client } from 'pg'
import { DefinitionErrors } from '../../src/definitions/findings.ts'
import type { Statement } from '../../src/definitions/definition.ts'
import { load } from '../definitions/sql-folder.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'
import { CLINICS, rowsOf, SCHEMA, TENANCY } from './clinics.ts'
import { OWN_ROWS, REFUSED, TOTALS } from './statements.ts'

const METRICS = `/*---
metrics:
  amount: { title: Сумма, format: money }
---*/
`

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
  const { reports, metricsFiles } = await load({ 'tenancy.yaml': TENANCY, ...files })
  return [...reports.values(), ...metricsFiles.values()][0]!.statement
}

describe('a way to another tenant', () => {
  let together: Client
  /** By clinic. */
  const alone = new Map<number, Client>()

  before(async () => {
    const made = async (name: string, clinics: readonly number[]) => {
      const schema = SCHEMA + clinics.map(rowsOf).join('')
      return connectTo((await createTestDatabase(`isolation_${name}`, schema)).primaryUrl)
    }
    together = await made('together', CLINICS)
    for (const clinic of CLINICS) alone.set(clinic, await made(`alone_${clinic}`, [clinic]))
  })

  after(() => Promise.all([together, ...alone.values()].map(client => client?.end())))

  /** Sorted, as text. */
  async function rows(client: Client, statement: Statement, clinic: number): Promise<string[]> {
    const values = statement.values({
      organizationId: String(clinic),
      period: { start: '2026-01-01', end: '2027-01-01' },
      today: '2026-03-20',
      now: '2026-03-20T09:00:00Z',
      timeZone: 'Europe/Moscow',
    })
    const found = await client.query({
      text: statement.text('smallint'),
      values,
      rowMode: 'array',
      types: { getTypeParser: () => (text: string) => text },
    })
    return found.rows.map(row => JSON.stringify(row)).toSorted()
  }

  async function expectRefusal(begin: string, files: Readonly<Record<string, string>>) {
    let refusal: string
    try {
      await rows(together, await compiled(files), 1)
      refusal = 'it is executed'
    } catch (error) {
      refusal =
        error instanceof DefinitionErrors ? error.findings[0]!.message : (error as Error).message
    }
    expect(refusal.slice(0, begin.length)).to.equal(begin)
  }

  for (const text of OWN_ROWS) {
    it(`returns own rows: ${text}`, async () => {
      const statement = await compiled({ 'metrics/a.sql': METRICS + text })
      for (const clinic of CLINICS) {
        const own = await rows(alone.get(clinic)!, statement, clinic)
        expect(await rows(together, statement, clinic)).to.deep.equal(own)
        expect(own).to.not.deep.equal([])
      }
    })
  }

  for (const {
    text,
    findings: [begin = ''],
  } of REFUSED) {
    it(`is refused: ${text}`, () => expectRefusal(begin, { 'metrics/a.sql': METRICS + text }))
  }

  for (const {
    text: total,
    findings: [begin = ''],
  } of TOTALS) {
    it(`is refused as a total: ${total}`, () =>
      expectRefusal(begin, { 'reports/visits/a.sql': report(total) }))
  }
})
