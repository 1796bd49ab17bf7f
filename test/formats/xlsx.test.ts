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
import { dayFirst, excelValue, plainValue } from './oracle.ts'
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

const DAY_MS = 86_400_000
/** Excel's day 0, for dates from 1900-03-01 on. */
const DAY_0 = Date.UTC(1899, 11, 30)
const FIRST_DAY = '1900-03-01'

const sales = (rows: readonly Row[], amount = '1234567') =>
  bodyOf(XLSX_FORMAT, SALES, rows, { totals: { amount } })
const read = (rows: readonly Row[]) => readWorkbook(sales(rows))

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

  it('describes the report on a second sheet', () => {
    const { sheetNames, about } = read([['а', '1', null]])
    expect(sheetNames).to.deep.equal(['Продажи', 'Об отчёте'])
    expect(about).to.deep.equal([
      ['Отчёт', 'Продажи'],
      ['Период', 'с 1 января по 31 декабря 2026 года'],
      ['Часовой пояс', 'Europe/Moscow'],
      ['Строк', '1'],
      ['Вывод', 'За 2026 год продано на 12\u00a0345,67\u00a0₽.'],
    ])
    const empty = read([])
    expect(empty.rows.map(row => row.get('A')?.text)).to.deep.equal(['Магазин', 'Итого'])
    expect(empty.about.at(-1)).to.deep.equal(['Вывод', 'За 2026 год данных нет.'])
  })

  it('freezes the titles, filters rows without the totals, and is as wide as its titles', () => {
    const { part } = read([
      ['а', '1', null],
      ['б', '2', null],
    ])
    const sheet = part('xl/worksheets/sheet1.xml')
    expect(sheet).to.include('<pane ySplit="1" topLeftCell="A2"')
    expect(sheet).to.include('<autoFilter ref="A1:C3"/>')
    expect(sheet).to.include('<col min="2" max="2" width="20" customWidth="1"/>')
    expect(sheet).to.include('sqref="A1:C4" numberStoredAsText="1"')
    expect(part('xl/workbook.xml')).to.include('hidden="1">\'Продажи\'!$A$1:$C$3<')
  })

  it('is named after its report, as far as Excel allows it', async () => {
    for (const [title, name] of [
      ["'Доходы/расходы': [2026]?'", "Доходы расходы' 2026"],
      ['Отчёт о движении денежных средств по кассе', 'Отчёт о движении денежных средс'],
      [`${'я'.repeat(30)}😀`, 'я'.repeat(30)],
      ['ОБ ОТЧЁТЕ', 'Отчёт'],
      ['***', 'Отчёт'],
      ['History', 'Отчёт'],
      ['Q&A "<5>"', 'Q&A "<5>"'],
    ] as const) {
      const body = bodyOf(XLSX_FORMAT, await reportOf(SALES_COLUMNS, title), [])
      expect(readWorkbook(body).sheetNames[0], title).to.equal(name)
    }
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

  it('writes rows before the end', () => {
    const output = createOutput(false)
    const writer = XLSX_FORMAT.createWriter(subjectOf(SALES))
    writer.head(output)
    const headLength = output.length
    for (let row = 0; row < 2000; row += 1) {
      writer.row(output, rowOf([`№ ${row}`, String(row * 7919), 'Магазин на углу']), [0, 1, 2])
    }
    expect(output.length).to.be.above(headLength + 5000)
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
  const ms = DAY_0 + Math.round(Number(text) * DAY_MS)
  switch (type) {
    case 'date':
    case 'month':
    case 'datetime':
      return `n ${new Date(ms).toISOString()}`
    case 'number':
    case 'percent':
      return `n ${Number(text)}`
    default:
      return `n ${text}`
  }
}

function expected(type: ColumnType, raw: string): string {
  const value = plainValue(type, raw)
  switch (type) {
    case 'text':
      return value
    case 'integer':
      return isLong(raw) ? raw : `n ${raw}`
    case 'money': {
      const roubles = excelValue(type, raw).replace(',', '.')
      return isLong(raw) ? roubles : `n ${roubles}`
    }
    case 'number':
    case 'percent':
      return isLong(raw) ? raw : `n ${Number(`${raw}e${type === 'number' ? 0 : -2}`)}`
    case 'date':
    case 'month':
      if (`${value}-01` < FIRST_DAY) return dayFirst(value)
      return `n ${new Date(value).toISOString()}`
    case 'datetime': {
      const [second = '', fraction = ''] = value.slice(0, -6).split('.')
      if (value < FIRST_DAY) return `${dayFirst(value.slice(0, 10))} ${value.slice(11, -6)}`
      return `n ${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
    }
  }
}

describe('the limits of a workbook', () => {
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
          new RegExp(`^The column "${column}" has a value of (32768|40000) ch`),
        )
        .with.nested.property('detail.ru')
        .that.matches(
          new RegExp(`^В столбце «${column}» есть значение длиной (32768|40000) знаков`),
        )
    }
  })

  it('reserve two rows for titles and totals', () => {
    expect(XLSX_FORMAT.maxRows).to.equal(1_048_574)
  })
})

describe('a part of a zip file', () => {
  it('compresses a piece with the previous pieces as dictionary', () => {
    let length = 0
    const part = createZipFile(bytes => void (length += bytes.length)).part('sheet')
    const rows = Buffer.from(TEXTS_OF_EACH_BYTE.join(''))
    for (let time = 0; time < 20; time += 1) part.write(rows)
    expect(length).to.be.below(rows.length)
  })

  it('is rejected if it would exceed 4 GB', () => {
    const small = createZipFile(() => {}, 1000).part('sheet')
    small.write(Buffer.alloc(1000))
    expect(() => small.write(Buffer.alloc(1))).to.throw(OutputFullError, 'larger than 4 GB')
  })
})
