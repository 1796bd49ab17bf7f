import { expect } from 'chai'
import { psqlScript } from '../../src/author/commands/psql-script.ts'
import { load, REPORT } from '../definitions/sql-folder.ts'

async function scriptOf(text: string, organizationId = '42'): Promise<string> {
  const { reports } = await load({ 'reports/shop/sales.sql': text })
  const bindings = {
    organizationId,
    period: { start: '2026-03-01', end: '2026-04-01' },
    today: '2026-11-21',
    now: '2026-11-21T10:00:00.000Z',
    timeZone: 'Europe/Moscow',
  }
  return psqlScript(reports.get('sales')!, bindings, 'integer', {})
}

describe('a psql script', () => {
  it('ends with one semicolon, also after a comment', async () => {
    expect(await scriptOf(`${REPORT.trimEnd()};\n`)).to.match(/\norder by shop;\n$/)
    expect(await scriptOf(`${REPORT.trimEnd()} -- so`)).to.match(/\norder by shop -- so\n;\n$/)
    expect(await scriptOf(`${REPORT.trimEnd()}; -- so`)).to.match(/\norder by shop; -- so\n$/)
  })

  it('quotes any id for SQL and for psql', async () => {
    const script = await scriptOf(REPORT, "O'\\x")
    expect(script).to.contain("\n\\set organization_id ' E\\'O\\'\\'\\\\\\\\x\\'::integer'\n")
  })
})
