import { expect } from 'chai'
import { FieldError } from '../../../src/formats/format.ts'
import { createOutput } from '../../../src/formats/output.ts'
import { XLSX_FORMAT } from '../../../src/formats/xlsx/xlsx.ts'
import {
  ORGANIZATION,
  PERIOD,
  rowOf,
  SALES,
  salesOf,
  written as writtenIn,
  type Row,
} from '../written.ts'
import { readWorkbook } from './reader.ts'

const TOTALS = { amount: '1234567' }
const DOS_1980 = 0x00210000

describe('the workbook of a report', () => {
  const written = (rows: readonly Row[], totals = TOTALS) =>
    writtenIn(XLSX_FORMAT, SALES, rows, totals)
  const read = (rows: readonly Row[]) => readWorkbook(written(rows))
  const texts = (rows: readonly Row[]) =>
    read(rows).rows.map(row => [...row.values()].map(({ text }) => text))

  it('has titles, rows and totals, in roubles', () => {
    expect(texts([['У моря', '123456', 'да']])).to.deep.equal([
      ['Магазин', 'Сумма', 'Заметка'],
      ['У моря', '1234.56', 'да'],
      ['Итого', '12345.67', ''],
    ])
  })

  it('has titles and totals in bold, and shows roubles', () => {
    const [titles, row, totals] = read([['У моря', '123456', 'да']]).rows.map(cells =>
      cells.get('B'),
    )
    expect([titles, row, totals].map(cell => cell?.isBold)).to.deep.equal([true, false, true])
    expect(row?.format).to.equal('#,##0.00\\ "₽"')
    expect(totals?.format).to.equal(row?.format)
  })

  it('of no rows has titles, totals and the sentence', () => {
    const { rows, about } = read([])
    expect(rows.map(row => row.get('A')?.text)).to.deep.equal(['Магазин', 'Итого'])
    expect(about.at(-1)).to.deep.equal(['Вывод', 'За 2026 год данных нет.'])
  })

  it('tells on a sheet of its own what it is about', () => {
    const { sheetNames, about } = read([['а', '1', null]])
    expect(sheetNames).to.deep.equal(['Продажи', 'Об отчёте'])
    expect(about).to.deep.equal([
      ['Отчёт', 'Продажи'],
      ['Период', 'с 1 января по 31 декабря 2026 года'],
      ['Часовой пояс', 'Europe/Moscow'],
      ['Строк', '1'],
      ['Вывод', 'За 2026 год продано на 12\u00a0345,67\u00a0₽.'],
    ])
  })

  it('keeps titles in sight, and filters rows without the totals', () => {
    const { part } = read([
      ['а', '1', null],
      ['б', '2', null],
    ])
    const sheet = part('xl/worksheets/sheet1.xml')
    expect(sheet).to.include('<pane ySplit="1" topLeftCell="A2"')
    expect(sheet).to.include('<autoFilter ref="A1:C3"/>')
    expect(part('xl/workbook.xml')).to.include('hidden="1">\'Продажи\'!$A$1:$C$3<')
  })

  it('has no cell where there is no value', () => {
    expect([...read([['а', null, null]]).rows[1]!.keys()]).to.deep.equal(['A'])
  })

  it('has texts that Excel would run as texts', () => {
    const formulas = ['=1+1', '+7', '-1', '@SUM(A1)', "=cmd|' /C calc'!A0"]
    const { rows, part } = read(formulas.map(text => [text, null, null] as const))
    const cells = rows.slice(1, -1).map(row => row.get('A')!)
    expect(cells.map(({ text }) => text)).to.deep.equal(formulas)
    expect(new Set(cells.map(({ type, format }) => type + format))).to.deep.equal(new Set(['s@']))
    expect(part('xl/worksheets/sheet1.xml')).not.to.include('<f>')
  })

  it('has texts that are too many to be shared', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [`№ ${at}`, String(at), 'да'] as const)
    const found = read(rows).rows.slice(1, -1)
    expect(found.map(row => row.get('A')!.text)).to.deep.equal(rows.map(([text]) => text))
    expect(new Set(found.map(row => row.get('A')!.type))).to.deep.equal(new Set(['s', 'inlineStr']))
    expect(new Set(found.map(row => row.get('C')!.type))).to.deep.equal(new Set(['s']))
  })

  it('is UTF-8, whatever the database takes for text', () => {
    const broken = Buffer.from([0x61, 0xff, 0xd0, 0x22, 0xc3])
    const long = Buffer.concat([broken, Buffer.alloc(40_000, 'я')])
    expect(texts([[broken, null, long]])[1]).to.deep.equal([broken.toString(), long.toString()])
  })

  it('is the same bytes at any time, wherever the clock stands', () => {
    const zone = process.env['TZ']
    try {
      const [first, second] = ['Asia/Kamchatka', 'America/New_York'].map(timeZone => {
        process.env['TZ'] = timeZone
        return written([['а', '1', null]])
      })
      expect(first!.equals(second!)).to.equal(true)
      expect(first!.readUInt32LE(10)).to.equal(DOS_1980)
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })

  it('lets its rows out as they come', () => {
    const output = createOutput(false)
    const subject = { definition: SALES, organization: ORGANIZATION, period: PERIOD }
    const writer = XLSX_FORMAT.createWriter(subject)
    writer.head(output)
    const headLength = output.length
    for (let row = 0; row < 2000; row += 1) {
      writer.row(output, rowOf([`№ ${row}`, String(row * 7919), 'Магазин на углу']), [0, 1, 2])
    }
    expect(output.length).to.be.above(headLength + 5000)
  })

  it('is refused where a field or a total is not of its type', () => {
    expect(() => written([['а', '1.5', null]])).to.throw(FieldError, 'amount: "1.5" is no money')
    expect(() => written([], { amount: 'NaN' })).to.throw(FieldError, 'amount: "NaN" is no money')
  })

  it('is named as its report, as far as Excel lets it', () => {
    const names: ReadonlyArray<readonly [title: string, name: string]> = [
      ["'Доходы/расходы': [2026]?'", "Доходы расходы' 2026"],
      ['Отчёт о движении денежных средств по кассе', 'Отчёт о движении денежных средс'],
      [`${'я'.repeat(30)}😀`, 'я'.repeat(30)],
      ['ОБ ОТЧЁТЕ', 'Отчёт'],
      ['***', 'Отчёт'],
      ['History', 'Отчёт'],
      ['Q&A "<5>"', 'Q&A "<5>"'],
    ]
    for (const [title, name] of names) {
      const { sheetNames } = readWorkbook(writtenIn(XLSX_FORMAT, salesOf(title), [], TOTALS))
      expect(sheetNames[0], title).to.equal(name)
    }
  })
})
