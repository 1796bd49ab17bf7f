import { RU_PROBLEMS } from '../../src/texts/ru/problems.ts'
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import * as fc from 'fast-check'
import { unzipSync } from 'fflate'
import { OutputFullError } from '../../src/serve/formats/format.ts'
import { createOutput } from '../../src/serve/formats/output.ts'
import { XLSX_FORMAT } from '../../src/serve/formats/xlsx/xlsx.ts'
import { createZipFile } from '../../src/serve/formats/xlsx/zip.ts'
import type { ColumnType } from '../../src/model/terms.ts'
import { anyRow, TEXTS_OF_EACH_BYTE } from './any-row.ts'
import { excelValue, plainValue } from './oracle.ts'
import {
  EVERY_TYPE,
  reportOf,
  rowOf,
  SALES,
  SALES_COLUMNS,
  subjectOf,
  bodyOf,
} from './report-body.ts'
import type { Row } from './report-body.ts'
import { readWorkbook, type Cell } from './xlsx/reader.ts'

const TITLES_ROW = 6
const DAY_MS = 86_400_000
/** Excel's day 0, for dates from 1900-03-01 on. */
const DAY_0 = Date.UTC(1899, 11, 30)
const FIRST_DAY = '1900-03-01'

const sales = (rows: readonly Row[], amount = '1234567') =>
  bodyOf(XLSX_FORMAT, SALES, rows, { totals: { amount } })
const read = (rows: readonly Row[]) => readWorkbook(sales(rows))

/** Widths of columns, and heights of rows and totals in points; undefined for the default. */
function layoutOf(rows: readonly Row[], amount = '1234567') {
  const sheet = readWorkbook(sales(rows, amount)).part('xl/worksheets/sheet1.xml')
  const widths = [...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))
  const all = [...sheet.matchAll(/<row r="(\d+)"(?: ht="(\d+)")?>/g)]
  const heights = all
    .filter(([, number]) => Number(number) > TITLES_ROW)
    .map(([, , height]) => (height === undefined ? undefined : Number(height)))
  return { widths, heights }
}

describe('the workbook of a report', () => {
  it('has bold titles and totals, rows in roubles, and no cell without a value', () => {
    const rows = read([
      ['У моря', '123456', 'да'],
      ['а', null, null],
    ]).rows.map(cells =>
      [...cells.values()].map(({ text, isBold }) => (isBold ? `<b>${text}` : text)),
    )
    expect(rows).to.deep.equal([
      ['<b>Магазин', '<b>Сумма', '<b>Заметка'],
      ['У моря', '1234.56', 'да'],
      ['а'],
      ['<b>Итого', '<b>12345.67', '<b>'],
    ])
  })

  it('has title, organization, period with its dates, and time of the data above the table', async () => {
    const payments = await reportOf(
      SALES_COLUMNS,
      'Продажи',
      'строк {row_count}.',
      'dateBasis: payment',
    )
    const linesOf = (organizationName?: string) =>
      readWorkbook(bodyOf(XLSX_FORMAT, payments, [], organizationName ? { organizationName } : {}))
        .lines
    const period = 'Период: с 1 января по 31 декабря 2026 года, по дате оплаты'
    const time = 'Данные на 21 ноября 2026 года, 13:20 (Europe/Moscow)'
    expect(linesOf()).to.deep.equal(['Продажи', period, time, null, null])
    expect(linesOf('ООО «Ромашка»')).to.deep.equal(['Продажи', 'ООО «Ромашка»', period, time, null])
    expect(linesOf('я'.repeat(40_000))[1]).to.equal('я'.repeat(500))
  })

  it('has the name of an organization as text, also if it looks like a formula', () => {
    for (const organizationName of ['=1+1', '@SUM(A1)', '<b>&amp;', '_x0041_', 'a\u0001\nb']) {
      const { lines, about, part } = readWorkbook(
        bodyOf(XLSX_FORMAT, SALES, [], { organizationName }),
      )
      expect(lines[1]).to.equal(organizationName)
      expect(about[1]).to.deep.equal(['Организация', organizationName])
      const sheet = part('xl/worksheets/sheet1.xml')
      expect(sheet).to.match(/<c s="\d+" r="A2" t="s">/)
      expect(sheet).not.to.include('<f>')
      expect(part('xl/workbook.xml')).not.to.include(organizationName)
    }
  })

  it('describes the report on a second sheet', () => {
    const { sheetNames, about } = read([['а', '1', null]])
    expect(sheetNames).to.deep.equal(['Отчёт', 'Об отчёте'])
    expect(about).to.deep.equal([
      ['Отчёт', 'Продажи'],
      ['Период', 'с 1 января по 31 декабря 2026 года'],
      ['Данные на', '21 ноября 2026 года, 13:20 (Europe/Moscow)'],
      ['Часовой пояс', 'Europe/Moscow'],
      ['Строк', '1'],
      ['Вывод', 'За 2026 год продано на 12\u00a0345,67\u00a0₽.'],
    ])
    const empty = read([])
    expect(empty.rows.map(row => row.get('A')?.text)).to.deep.equal(['Магазин', 'Итого'])
    expect(empty.about).to.deep.include(['Вывод', 'За 2026 год данных нет.'])
  })

  it('has its description, and the day of a state, as the front matter declares them', async () => {
    const matter = 'description: Что лежит на складах.\ndateBasis: state'
    const stock = await reportOf(SALES_COLUMNS, 'Остатки', 'строк {row_count}.', matter)
    const { about } = readWorkbook(bodyOf(XLSX_FORMAT, stock, []))
    expect(about).to.deep.include.members([
      ['Описание', 'Что лежит на складах.'],
      ['Состояние', 'На 21 ноября 2026 года'],
    ])
  })

  it('freezes and prints the titles, and filters rows without the totals', () => {
    const { part } = read([
      ['а', '1', null],
      ['б', '2', null],
    ])
    const sheet = part('xl/worksheets/sheet1.xml')
    expect(sheet).to.include('<pane ySplit="6" topLeftCell="A7"')
    expect(sheet).to.include('<autoFilter ref="A6:C8"/>')
    expect(sheet).to.include('sqref="A1:C9" numberStoredAsText="1"')
    const workbook = part('xl/workbook.xml')
    expect(workbook).to.include('hidden="1">\'Отчёт\'!$A$6:$C$8<')
    expect(workbook).to.include("localSheetId=\"0\">'Отчёт'!$A:$A,'Отчёт'!$6:$6<")
  })

  it('is printed on as many pages side by side as it is wide', async () => {
    const pagesWide = async (count: number): Promise<string | undefined> => {
      const names = Array.from({ length: count }, (_, at) => `amount_${at}`)
      const money = names.map(name => [name, 'title: Сумма продаж, type: money, total: none'])
      const columns = { shop: 'title: Магазин, type: text', ...Object.fromEntries(money) }
      const row = ['а', ...names.map(() => '123456789012')]
      const { part } = readWorkbook(bodyOf(XLSX_FORMAT, await reportOf(columns), [row]))
      return /fitToWidth="(\d+)"/.exec(part('xl/worksheets/sheet1.xml'))?.[1]
    }
    expect([await pagesWide(3), await pagesWide(9), await pagesWide(18)]).to.deep.equal([
      '1',
      '1',
      '2',
    ])
  })

  it('has columns as wide as their contents, and rows as high as their texts', () => {
    const short = layoutOf([['а', '1', null]], '100')
    const long = layoutOf([['Магазин у самого синего моря', '1', null]], '-99999999999999')
    expect(long.widths[0]).to.equal(Math.ceil(28 * 1.05 + 2))
    expect(long.widths[1]).to.be.above(short.widths[1]!).and.above('-999 999 999 999,99 ₽'.length)
    expect(short.heights).to.deep.equal([undefined, undefined])
    const text = 'Оплата поставщику за товар '.repeat(10)
    const { widths, heights } = layoutOf([
      [text, '1', text],
      ['а', '1', null],
      ['а\nб\nв', '1', null],
    ])
    expect(widths[0]).to.equal(60)
    expect(heights).to.deep.equal([75, undefined, 45, undefined])
  })

  it('has the same layout for its first rows and for later ones', () => {
    const rows = Array.from({ length: 2500 }, (_, at): Row => [
      `${'Строка из слов '.repeat(1 + (at % 10))}${at}`,
      '1',
      null,
    ])
    const { heights } = layoutOf(rows)
    expect(new Set(heights)).to.have.property('size', 3)
    for (let at = 10; at < rows.length; at += 1) {
      expect(heights[at], String(at)).to.equal(heights[at % 10])
    }
  })

  it('reserves space for totals and later rows of a long report', () => {
    const rows = Array.from({ length: 1001 }, (): Row => ['а', '1', null])
    expect(layoutOf(rows).widths[1]).to.be.above('-999 999 999 999,99 ₽'.length - 1)
  })

  it('writes rows before the end, after 48 KB', () => {
    const write = (count: number, textOf: (row: number) => string): number => {
      const output = createOutput(false)
      const writer = XLSX_FORMAT.createWriter(subjectOf(SALES))
      writer.head(output)
      for (let row = 0; row < count; row += 1) {
        writer.row(output, rowOf([textOf(row), String(row * 7919), null]), [0, 1, 2])
      }
      return output.length
    }
    expect(write(7000, row => `№ ${row}`)).to.be.above(write(900, row => `№ ${row}`) + 5000)
    expect(write(60, () => randomBytes(15_000).toString('hex'))).to.be.above(500_000)
  })

  it('shares a limited number of texts, and writes the others in their cells', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [`№ ${at}`, String(at), 'да'] as const)
    const cells = read(rows).rows.slice(1, -1)
    expect(cells.map(row => row.get('A')!.text)).to.deep.equal(rows.map(([text]) => text))
    expect(new Set(cells.map(row => row.get('A')!.type))).to.deep.equal(new Set(['s', 'inlineStr']))
    expect(new Set(cells.map(row => row.get('C')!.type))).to.deep.equal(new Set(['s']))
  })

  it('has the same bytes in any time zone, with the checksum of each part', () => {
    const zone = process.env['TZ']
    const bodies = ['Asia/Kamchatka', 'America/New_York'].map(timeZone => {
      process.env['TZ'] = timeZone
      return sales([['а', '1', null]])
    })
    process.env['TZ'] = zone
    const [body, other] = bodies as [Buffer, Buffer]
    expect(body.equals(other)).to.equal(true)
    const DOS_1980 = 0x00210000
    expect(body.readUInt32LE(10)).to.equal(DOS_1980)
    const parts = Object.values(unzipSync(body)).map(bytes => [crc32(bytes), bytes.length])
    expect(checksumsAndSizes(body)).to.deep.equal(parts)
  })
})

/** From the directory at the end of the zip file. */
function checksumsAndSizes(zip: Buffer): Array<[crc: number, size: number]> {
  const CENTRAL = 0x02014b50
  const cells: Array<[crc: number, size: number]> = []
  let at = zip.readUInt32LE(zip.length - 6)
  for (; zip.readUInt32LE(at) === CENTRAL; at += 46 + zip.readUInt16LE(at + 28)) {
    cells.push([zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)])
  }
  return cells
}

describe('a field as a cell of a workbook', () => {
  it('has the value of its type for any data', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow({ integer: 20, decimals: 18 }), { minLength: 1, maxLength: 10 }),
        rows => {
          const cells = readWorkbook(bodyOf(XLSX_FORMAT, EVERY_TYPE, rows)).rows.slice(1, -1)
          for (const [at, row] of rows.entries()) {
            for (const [index, { key, type }] of EVERY_TYPE.columns.entries()) {
              const raw = row[index]?.toString()
              const cell = cells[at]!.get(String.fromCharCode(65 + index))
              expect(cell && shown(type, cell), `${key} ${raw}`).to.equal(
                raw && expected(type, raw),
              )
            }
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('has the same text for each byte at each position, and no formula', () => {
    const texts = [...TEXTS_OF_EACH_BYTE, '=1+1', '+7', '-1', '@SUM(A1)', "=cmd|' /C calc'!A0"]
    const { rows, part } = read(texts.map(text => [text, null, null]))
    expect(rows.slice(1, -1).map(row => shown('text', row.get('A')!))).to.deep.equal(texts)
    expect(part('xl/worksheets/sheet1.xml')).not.to.include('<f>')
  })
})

const isLong = (raw: string): boolean => /^-?0*[1-9]\d{15}/.test(raw)

/** The text of a cell, or `n` and its number. */
function shown(type: ColumnType, { text, type: cellType, format }: Cell): string {
  if (cellType !== 'n') {
    expect([cellType, format]).to.deep.equal([cellType === 's' ? 's' : 'inlineStr', '@'])
    return text
  }
  if (text === '') return ''
  const ms = DAY_0 + Math.round(Number(text) * DAY_MS)
  switch (type) {
    case 'date':
    case 'month':
    case 'datetime':
      return `n ${new Date(ms).toISOString()}`
    default:
      return `n ${Number(text)}`
  }
}

function expected(type: ColumnType, raw: string): string {
  const value = plainValue(type, raw)
  switch (type) {
    case 'text':
      return value
    case 'integer':
      return isLong(raw) ? raw : `n ${Number(raw)}`
    case 'money': {
      const roubles = excelValue(type, raw).replace(',', '.')
      return isLong(raw) ? roubles : `n ${Number(roubles)}`
    }
    case 'number':
    case 'percent':
      return isLong(raw) ? raw : `n ${Number(`${raw}e${type === 'number' ? 0 : -2}`)}`
    case 'date':
    case 'month':
      if (`${value}-01` < FIRST_DAY) return ''
      return `n ${new Date(value).toISOString()}`
    case 'datetime': {
      const [second = '', fraction = ''] = value.slice(0, -6).split('.')
      if (value < FIRST_DAY) return ''
      return `n ${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
    }
  }
}

describe('the limits of a workbook', () => {
  it('are told on its second sheet, with the columns that have such values', () => {
    const [text, rounded, empty] = [
      'Текстом (больше 15 цифр)',
      'Округлено до 15 цифр',
      'Пусто (до 1 марта 1900)',
    ]
    for (const [type, raw, note] of [
      ['integer', '-00999999999999999', undefined],
      ['integer', '1234567890123456', text],
      ['money', '-999999999999999', undefined],
      ['money', '1234567890123456', text],
      ['number', '0.00123456789012345', undefined],
      ['number', '-12.5000000000000000', undefined],
      ['number', '100000000000000.00', undefined],
      ['number', '-1.234567890123456', rounded],
      ['number', '1234567890123456.5', text],
      ['percent', '12345678901234.50', undefined],
      ['percent', '123456789012345.6', rounded],
      ['date', '1900-03-01', undefined],
      ['date', '1900-02-28', empty],
    ] as const) {
      const row = EVERY_TYPE.columns.map(column => (column.type === type ? raw : null))
      const { about } = readWorkbook(bodyOf(XLSX_FORMAT, EVERY_TYPE, [row, row]))
      const expected = note === undefined ? [] : [[note, 'столбцы: Столбец']]
      expect(about.slice(6), raw).to.deep.equal(expected)
    }
    const { about } = readWorkbook(sales([], '1234567890123456'))
    expect(about.slice(6)).to.deep.equal([[text, 'столбцы: Сумма']])
  })

  it('allow 32,767 characters in a cell, as Excel counts them', () => {
    const longest = ['я'.repeat(32_767), `${'😀'.repeat(16_383)}&`, '\u0001'.repeat(32_767)]
    const { rows } = read(longest.map(text => [text, null, null]))
    expect(rows.slice(1, -1).map(row => row.get('A')!.text)).to.deep.equal(longest)
  })

  it('reject a longer text or number, in a row or in the totals, instead of truncating it', () => {
    const digits = '9'.repeat(40_000)
    for (const [column, write] of [
      ['Магазин', () => sales([['я'.repeat(32_768), null, null]])],
      ['Магазин', () => sales([['😀'.repeat(16_384), null, null]])],
      ['Сумма', () => sales([['а', digits, null]])],
      ['Сумма', () => sales([], digits)],
    ] as const) {
      expect(write)
        .to.throw(
          OutputFullError,
          new RegExp(`: The column "${column}" has a value of (32768|40001) ch`),
        )
        .that.satisfies(({ detail }: OutputFullError) =>
          new RegExp(`^В столбце «${column}» есть значение длиной (32768|40001) знаков`).test(
            detail(RU_PROBLEMS),
          ),
        )
    }
  })

  it('reserve seven rows for title, column titles and totals', () => {
    expect(XLSX_FORMAT.maxRows).to.equal(1_048_569)
  })
})

describe('a part of a zip file', () => {
  it('is rejected if it would exceed 4 GB', () => {
    const small = createZipFile(() => {}, 1000)
    small.write('sheet', 'x'.repeat(1000))
    small.write('other', 'x'.repeat(1001))
    expect(() => small.end()).to.throw(OutputFullError, 'larger than 4 GB')
  })
})
