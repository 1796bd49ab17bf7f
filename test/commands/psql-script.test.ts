import { expect } from 'chai'
import type { Bindings } from '../../src/definitions/definition.ts'
import { psqlScript } from '../../src/author/commands/psql-script.ts'
import { load, REPORT } from '../definitions/sql-folder.ts'

const bindings: Bindings = {
  organizationId: '42',
  period: { start: '2026-03-01', end: '2026-04-01' },
  today: '2026-11-21',
  now: '2026-11-21T10:00:00.000Z',
  timeZone: 'Europe/Moscow',
}

async function scriptOf(text: string, changed: Partial<Bindings> = {}): Promise<string> {
  const { reports } = await load({ 'reports/shop/sales.sql': text })
  const settings = { TimeZone: 'UTC' }
  return psqlScript(reports.get('sales')!, { ...bindings, ...changed }, 'integer', settings)
}

describe('a psql script', () => {
  it('sets the session and used placeholders, then contains the SQL with its own rows', async () => {
    const own =
      'with sales as not materialized (select * from public.sales where organization_id = :organization_id)'
    const sql = `-- Tuned: 3 ms of :today\n${own} ${REPORT.slice(REPORT.indexOf('select'))}`
    expect(await scriptOf(REPORT.replace('select', '-- Tuned: 3 ms of :today\nselect'))).to.equal(
      `-- sales of organization 42 from 2026-03-01 to 2026-03-31
set TimeZone = 'UTC';
\\set organization_id '\\'42\\'::integer'
\\set period_start '\\'2026-03-01\\'::date'
\\set period_end '\\'2026-04-01\\'::date'
${sql};
`,
    )
  })

  it('ends with one semicolon, also after a comment', async () => {
    expect(await scriptOf(`${REPORT.trimEnd()};\n`)).to.match(/\norder by shop;\n$/)
    expect(await scriptOf(`${REPORT.trimEnd()} -- so`)).to.match(/\norder by shop -- so\n;\n$/)
    expect(await scriptOf(`${REPORT.trimEnd()}; -- so`)).to.match(/\norder by shop; -- so\n$/)
  })

  it('defines instants as expressions with the time zone', async () => {
    const sql = REPORT.replace('day >= :period_start', 'sold_at >= :period_start_at')
    expect(await scriptOf(sql)).to.match(
      /\n\\set period_start_at '\(case .* else \\'2026-03-01\\'::date::timestamp at time zone \\'Europe\/Moscow\\'::text end\)'\n/,
    )
  })

  it('quotes any id for SQL and for psql', async () => {
    const script = await scriptOf(REPORT, { organizationId: "O'\\x" })
    expect(script).to.contain("\n\\set organization_id '\\'O\\'\\'\\\\x\\'::integer'\n")
  })
})
