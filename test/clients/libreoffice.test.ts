import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXCEL_CSV_FORMAT } from '../../src/serve/formats/csv/excel-csv.ts'
import { bodyOf, OF_TYPE } from '../formats/report-body.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { clientsGateway, download, YEAR } from './clients.ts'
import { libreOffice } from './libreoffice.ts'

/** File name to sheet name. */
const SHEETS = { book: 'Отчёт', table: 'table', months: 'months' }
const MONTHS = ['Январь 2026', 'май 2026', '31 декабря 2026', 'Сентябрь 2026']

/** Import options: semicolon, quotes, UTF-8, numbers and dates of the locale, evaluated formulas. */
const AS_EXCEL = 'CSV:59,34,76,1,,0,false,true,false,false,false,0,true'

type Row = Record<string, string | number | null>

/** A cell as read by LibreOffice. */
interface Cell {
  /** `string`, `float`, `date`, `currency`, ...; undefined for an empty cell. */
  readonly type: string | undefined
  /** The number, instant or text in the file. */
  readonly value: string
  readonly isFormula: boolean
}

/** Rows of a sheet in flat XML, without empty rows and trailing empty cells. */
function readSheet(fods: string, name: string): Cell[][] {
  const [, after] = fods.split(`<table:table table:name="${name}"`)
  if (after === undefined) throw new Error(`there is no sheet ${name}`)
  const rows = after
    .split('</table:table>')[0]!
    .matchAll(/<table:table-row[ >]([^]*?)<\/table:table-row>/g)
  return Array.from(rows, ([, row = '']) => readRow(row)).filter(row => row.length > 0)
}

function readRow(row: string): Cell[] {
  const cells = row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>([^]*?)<\/table:table-cell>)/g)
  const foundCells = [...cells].flatMap(([, attributes = '', inside = '']) => {
    const attribute = (key: string): string | undefined =>
      new RegExp(`${key}="([^"]*)"`).exec(attributes)?.[1]
    const type = attribute(' office:value-type')
    const figure = attribute('office:value') ?? attribute('office:date-value')
    const isFormula = attribute('table:formula') !== undefined
    const repeated = Number(attribute('table:number-columns-repeated') ?? 1)
    const cell = { type, value: figure ?? textOf(inside), isFormula }
    return type === undefined && repeated > 100 ? [] : Array.from({ length: repeated }, () => cell)
  })
  while (foundCells.at(-1)?.type === undefined && foundCells.length > 0) foundCells.pop()
  return foundCells
}

function textOf(inside: string): string {
  const entities: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
  }
  return Array.from(inside.matchAll(/<text:p>([^]*?)<\/text:p>/g), ([, line]) => line)
    .join('\n')
    .replaceAll('<text:tab/>', '\t')
    .replaceAll('<text:s/>', ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(\w+);/g, (_, name: string) => entities[name] ?? '')
}

describe('LibreOffice with a Russian locale', function () {
  this.timeout(120_000)
  const world = clientsGateway()
  const folder = temporaryFolder()
  const fods: Record<string, string> = {}
  let rows: Row[]

  before(async function () {
    const convert = await libreOffice(this, folder)
    const { json } = await world.ask(`/reports/ledger?${YEAR}`)
    rows = json.rows
    await download(world, `ledger.xlsx?${YEAR}`, join(folder, 'book.xlsx'))
    await download(world, `ledger.csv?${YEAR}&preset=excel`, join(folder, 'table.csv'))
    await convert('--convert-to', 'fods', 'book.xlsx')
    const months = bodyOf(
      EXCEL_CSV_FORMAT,
      OF_TYPE.text,
      MONTHS.map(month => ['а', month]),
    )
    writeFileSync(join(folder, 'months.csv'), months)
    await convert(`--infilter=${AS_EXCEL}`, '--convert-to', 'fods', 'table.csv', 'months.csv')
    for (const name of Object.keys(SHEETS)) {
      fods[name] = readFileSync(join(folder, `${name}.fods`), 'utf8')
    }
  })

  const cellsOf = (name: keyof typeof SHEETS): Cell[][] => {
    const cells = readSheet(fods[name]!, SHEETS[name])
    return name === 'book'
      ? cells.slice(cells.findIndex(([cell]) => cell?.value === 'Номер'))
      : cells
  }

  for (const name of ['book', 'table'] as const) {
    it(`has the titles, texts, dates, local times and numbers of all rows, and the totals: ${name}`, () => {
      const [titles, ...foundCells] = cellsOf(name)
      expect(titles!.map(({ value }) => value).join(';')).to.equal(
        'Номер;Дата;Месяц;Проведена;Штук;Вес, кг;Сумма;Оплачено;Доля;Контрагент;Заметка',
      )
      expect(foundCells.pop()![0]!.value).to.equal('Итого')
      const figure = (cell: Cell | undefined, factor = 1): number | null =>
        cell?.type === undefined ? null : Math.round(Number(cell.value) * 1000 * factor) / 1000
      const values = foundCells.map(row => ({
        day: `${row[1]?.type} ${row[1]?.value}`,
        posted_at: `${row[3]?.type} ${row[3]?.value.slice(0, 19)}`,
        weight: figure(row[5]),
        paid: figure(row[7], 100),
        counterparty: row[9]?.value ?? '',
      }))
      const expected = rows.map(row => ({
        day: `date ${row['day']}`,
        posted_at: `date ${String(row['posted_at']).slice(0, 19)}`,
        weight: row['weight'],
        paid: row['paid'],
        counterparty: row['counterparty'] ?? '',
      }))
      expect(values).to.deep.equal(expected)
    })

    it(`evaluates no text as a formula: ${name}`, () => {
      const cells = cellsOf(name)
      expect(cells.flat().filter(({ isFormula }) => isFormula)).to.deep.equal([])
      for (const [at, { note }] of rows.entries()) {
        if (!/^[\t=+\-@]/.test(String(note))) continue
        const value = name === 'book' ? note : `'${note}`
        expect(cells[at + 1]![10]).to.deep.include({ type: 'string', value })
      }
    })
  }

  it('has the columns whose numbers no cell can hold on the sheet about the report', () => {
    const about = readSheet(fods['book']!, 'Об отчёте').map(row => row.map(({ value }) => value))
    expect(about.at(-1)).to.deep.equal(['Текстом (больше 15 цифр)', 'столбцы: Штук, Сумма'])
  })

  it('reads no month of the table as a date', () => {
    const [, ...cells] = cellsOf('months')
    expect(cells.slice(0, -1).map(([, cell]) => [cell?.type, cell?.value])).to.deep.equal(
      MONTHS.map(month => ['string', `${month} года`]),
    )
  })

  it('has all texts of the workbook unchanged', () => {
    const notes = cellsOf('book')
      .slice(1, -1)
      .map(row => row[10]?.value ?? '')
    expect(notes).to.deep.equal(rows.map(({ note }) => String(note ?? '').replaceAll('\r\n', '\n')))
  })
})
