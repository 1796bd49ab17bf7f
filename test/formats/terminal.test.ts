import { expect } from 'chai'
import { FieldError } from '../../src/serve/formats/format.ts'
import { metricsTable } from '../../src/author/terminal/metrics-table.ts'
import { textTable, type TextTableOptions } from '../../src/author/terminal/text-table.ts'
import { load } from '../definitions/sql-folder.ts'
import { reportOf, subjectOf, written, type Row } from './written.ts'

const REPORT = reportOf({
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
    options: TextTableOptions = {},
    rows = ROWS,
    totals: Record<string, string | null> = { amount: '123456789', share: null },
  ): string[] {
    return written(textTable(options), REPORT, rows, { totals }).toString().split('\n')
  }

  it('has a title, columns with figures on the right, totals last and the sentence under them', () => {
    expect(lines({ organizationName: 'business' })).to.deep.equal([
      'Продажи, 2026 год: business, Europe/Moscow',
      '',
      'Магазин      Открыт      Сумма всех продаж     Доля',
      '───────────  ──────────  ─────────────────  ───────',
      'Центральный  29.02.2024       1 234 567,00  100,0 %',
      'У моря       —                        0,89        —',
      '───────────  ──────────  ─────────────────  ───────',
      'Итого                         1 234 567,89        —',
      '',
      'За 2026 год строк 2.',
      '',
    ])
  })

  it('of no rows has the totals and the empty sentence, and the id of an organization without a name', () => {
    expect(lines({}, [], { amount: '0' })).to.deep.equal([
      'Продажи, 2026 год: 7, Europe/Moscow',
      '',
      'Магазин  Открыт  Сумма всех продаж  Доля',
      '───────  ──────  ─────────────────  ────',
      'Итого                         0,00     —',
      '',
      'За 2026 год данных нет.',
      '',
    ])
  })

  it('wraps titles where a line is wider than the terminal, then shortens texts, the widest first, and no figure', () => {
    expect(lines({ maxWidth: 46 }).slice(2, 6)).to.deep.equal([
      '                           Сумма всех',
      'Магазин      Открыт            продаж     Доля',
      '───────────  ──────────  ────────────  ───────',
      'Центральный  29.02.2024  1 234 567,00  100,0 %',
    ])
    for (const maxWidth of [42, 10]) {
      expect(lines({ maxWidth })).to.include('Централ…  29.02.2024  1 234 567,00  100,0 %')
    }
  })

  it('is aligned by what letters take in whatever script, and shortens between letters and their marks', () => {
    const texts = [
      'e\u0301te\u0301',
      '🙂 日',
      '👨‍👩‍👧',
      'и\u0306'.repeat(9),
      '日本語日本語',
      'Ромашка и сыновья',
    ]
    const rows = texts.map(text => [text, null, '5', null])
    const shown = lines({ maxWidth: 10 }, rows).slice(5, 11)
    expect(shown.map(line => line.replace(/ {13}0,05 {5}—$/, '|'))).to.deep.equal([
      'e\u0301te\u0301       —  |',
      '🙂 日     —  |',
      '👨‍👩‍👧        —  |',
      `${'и\u0306'.repeat(7)}…  —  |`,
      '日本語…   —  |',
      'Ромашка…  —  |',
    ])
  })

  it('lets rows out once it knows how wide they are, with room for their totals, and shifts what is wider', () => {
    const rows = [
      ['А', null, '1', null],
      ['Магазин на углу', null, '1', null],
    ]
    const [head, , first, second, , totals] = lines({ measuredRows: 1 }, rows, {
      amount: '99999999999999',
    }).slice(2)
    expect(head).to.match(/^Магазин {2}Открыт {4}Сумма всех продаж {3}Доля$/)
    expect(first).to.match(/^А {8}— {22}0,01 {6}—$/)
    expect(second).to.equal(`Магазин на углу  —${' '.repeat(22)}0,01      —`)
    expect(totals!.indexOf('99 ')).to.be.above(0)
    expect(totals!.search(/,\d\d /)).to.equal(first!.search(/,\d\d /))
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
  const definition = load({ 'metrics/shop.sql': sql }).metrics.get('in_money')!.file
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

  it('refuses what the API refuses', () => {
    for (const format of formats) {
      expect(() => linesOf({ [format]: 'NaN' }), format).to.throw(FieldError, `in_${format}: "NaN"`)
    }
  })
})
