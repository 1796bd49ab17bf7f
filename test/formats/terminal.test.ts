import { expect } from 'chai'
import { FieldError } from '../../src/serve/formats/format.ts'
import { metricsTable, textTable } from '../../src/author/terminal/text-table.ts'
import type { MetricsDefinition } from '../../src/definitions/definition.ts'
import { load } from '../definitions/sql-folder.ts'
import { reportOf, subjectOf, bodyOf, type Row } from './report-body.ts'

const REPORT = await reportOf({
  shop: 'title: Магазин, type: text',
  opened: 'title: Открыт, type: date, total: none',
  amount: 'title: Сумма всех продаж, type: money, total: sum(amount)',
  share: 'title: Доля, type: percent, total: "round(sum(amount) / nullif(0, 0), 1)"',
})
const ROWS: readonly Row[] = [
  ['Центральный', '2024-02-29', '123456700', '100.0'],
  ['У моря', null, '89', null],
]

describe('the table of a report', () => {
  function lines(
    organizationName?: string,
    rows = ROWS,
    totals: Record<string, string | null> = { amount: '123456789', share: null },
  ): string[] {
    return bodyOf(textTable(organizationName), REPORT, rows, { totals }).toString().split('\n')
  }

  it('has a title, columns with figures on the right, totals last and the sentence under them', () => {
    expect(lines('business')).to.deep.equal([
      'Продажи, 2026 год: business, Europe/Moscow',
      '',
      'Магазин      Открыт      Сумма всех продаж   Доля',
      '───────────  ──────────  ─────────────────  ─────',
      'Центральный  2024-02-29     1 234 567,00 ₽  100 %',
      'У моря       —                      0,89 ₽      —',
      '───────────  ──────────  ─────────────────  ─────',
      'Итого                       1 234 567,89 ₽      —',
      '',
      'За 2026 год строк 2.',
      '',
    ])
  })

  it('of no rows has the totals and the empty sentence, and the id of an organization without a name', () => {
    expect(lines(undefined, [], { amount: '0' })).to.deep.equal([
      'Продажи, 2026 год: 7, Europe/Moscow',
      '',
      'Магазин  Открыт  Сумма всех продаж  Доля',
      '───────  ──────  ─────────────────  ────',
      'Итого                       0,00 ₽     —',
      '',
      'За 2026 год данных нет.',
      '',
    ])
  })

  it('is aligned by the display width of characters, in any script', () => {
    const texts = ['e\u0301te\u0301', '🙂 日', '👨‍👩‍👧', 'и\u0306'.repeat(9), '日本語日本語']
    const rows = texts.map(text => [text, null, '5', null])
    const shown = lines(undefined, rows).slice(4, 9)
    expect(
      shown.map(line => line.replace(/ +— .*$/, match => ` ${match.indexOf('—')}`)),
    ).to.deep.equal([
      'e\u0301te\u0301 11',
      '🙂 日 9',
      '👨‍👩‍👧 12',
      `${'и\u0306'.repeat(9)} 5`,
      '日本語日本語 2',
    ])
  })
})

describe('the table of metrics', () => {
  const formats = ['money', 'percent', 'integer', 'number', 'days', 'hours'] as const
  const sql = `/*---
metrics:
${formats.map(format => `  in_${format}: { title: ${format}, format: ${format} }`).join('\n')}
---*/
select ${formats.map(format => `1 as in_${format}`).join(', ')} from sales where organization_id = :organization_id
`
  let definition: MetricsDefinition
  before(async () => {
    definition = (await load({ 'metrics/shop.sql': sql })).metrics.get('in_money')!.file
  })
  const linesOf = (fields: Record<string, string | null>) => {
    const all = formats.map(format => [`in_${format}`, fields[format] ?? null] as const)
    const { organization, period } = subjectOf(REPORT)
    return metricsTable(new Map(all), { definition, organization, period }, 'business').split('\n')
  }

  it('has a title, and values with their units', () => {
    const fields = { money: '123456', percent: '8.9', integer: '1234', days: '12', hours: '1.4' }
    expect(linesOf(fields)).to.deep.equal([
      'metrics/shop, 2026 год: business, Europe/Moscow',
      '',
      'money    1 234,56 ₽',
      'percent       8,9 %',
      'integer       1 234',
      'number            —',
      'days         12 дн.',
      'hours         1,4 ч',
      '',
    ])
  })

  it('rejects what the API rejects', () => {
    for (const format of formats) {
      expect(() => linesOf({ [format]: 'NaN' }), format).to.throw(FieldError, `in_${format}: "NaN"`)
    }
  })
})
