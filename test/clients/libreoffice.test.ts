import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readCsv } from '../formats/csv/read-csv.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { clientsGateway, exactTotals, KEY, needs, reportsUrl, run, YEAR } from './clients.ts'
import { readSheet } from './read-fods.ts'
import type { Cell } from './read-fods.ts'

/** Files and their sheets. */
const SHEETS = { book: 'Журнал проводок', table: 'table' }

const RUSSIAN = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>ru-RU</value></prop></item></oor:items>
`
/** Semicolon, quotes, UTF-8, the locale's numbers and dates, and formulas are run, as if someone had asked for that. */
const AS_EXCEL = 'CSV:59,34,76,1,,0,false,true,false,false,false,0,true'
const RAW = 'csv:Text - txt - csv (StarCalc):59,34,76,1,,0,false,false'

type Row = Record<string, string | number | null>

describe('LibreOffice with a Russian locale', function () {
  this.timeout(120_000)
  const world = clientsGateway()
  const folder = temporaryFolder()
  const fods: Record<string, string> = {}
  let rows: Row[]
  let totals: Record<string, string>
  let soffice: string

  async function convert(...options: string[]): Promise<void> {
    const profile = `-env:UserInstallation=file://${folder}/profile`
    const ended = await run(soffice, [profile, '--headless', ...options], {
      cwd: folder,
    })
    expect(ended.exitCode, ended.stderr).to.equal(0)
  }

  before(async function () {
    const package_ = 'libreoffice-calc-nogui'
    const profile = `-env:UserInstallation=file://${folder}/profile`
    mkdirSync(join(folder, 'profile/user'), { recursive: true })
    writeFileSync(join(folder, 'profile/user/registrymodifications.xcu'), RUSSIAN)
    soffice = await needs(this, package_, ['soffice', 'libreoffice'], [profile, '--version'])
    const { json, text } = await world.ask(`/reports/ledger?${YEAR}`)
    rows = json.rows
    totals = exactTotals(text)
    for (const [name, path] of [
      ['book.xlsx', `ledger.xlsx?${YEAR}`],
      ['table.csv', `ledger.csv?${YEAR}&preset=excel`],
    ] as const) {
      const url = `${reportsUrl(world.gateway.url)}/${path}`
      const answer = await fetch(url, { headers: { 'X-Api-Key': KEY } })
      writeFileSync(join(folder, name), Buffer.from(await answer.arrayBuffer()))
    }
    await convert('--convert-to', 'fods', 'book.xlsx')
    await convert(`--infilter=${AS_EXCEL}`, '--convert-to', 'fods', 'table.csv')
    for (const name of Object.keys(SHEETS)) {
      fods[name] = readFileSync(join(folder, `${name}.fods`), 'utf8')
    }
  })

  for (const [name, sheet] of Object.entries(SHEETS)) {
    const file = name === 'book' ? 'XLSX' : 'CSV for Excel'
    const cells = (): Cell[][] => readSheet(fods[name]!, sheet)
    const column = (key: string): Cell[] => {
      const order = Object.keys(rows[0]!).indexOf(key)
      return cells()
        .slice(1, -1)
        .map(row => row[order] ?? { type: undefined, value: '', isFormula: false })
    }
    const typed = (key: string): string[] =>
      column(key).map(({ type, value }) => `${type} ${value}`)

    it(`has Russian titles and texts, every row and the totals: ${file}`, () => {
      const all = cells()
      expect(all[0]!.map(({ value }) => value).join(';')).to.equal(
        'Номер;Дата;Месяц;Проведена;Штук;Вес, кг;Сумма;Оплачено;Доля;Контрагент;Заметка',
      )
      expect(all).to.have.length(1 + rows.length + 1)
      expect(all.at(-1)![0]!.value).to.equal('Итого')
      expect(column('counterparty').map(({ value }) => value)).to.deep.equal(
        rows.map(({ counterparty }) => counterparty ?? ''),
      )
    })

    it(`has days and instants of the organization's clock as dates: ${file}`, () => {
      expect(typed('day')).to.deep.equal(rows.map(({ day }) => `date ${day}`))
      const seconds = typed('posted_at').map(text =>
        text.slice(0, 'date 2026-01-01T00:00:00'.length),
      )
      expect(seconds).to.deep.equal(
        rows.map(row => `date ${String(row['posted_at']).slice(0, 19)}`),
      )
    })

    it(`has roubles as figures: ${file}`, () => {
      const kopecks = column('paid').map(({ type, value }) =>
        type === undefined ? null : Math.round(Number(value) * 100),
      )
      expect(kopecks).to.deep.equal(rows.map(({ paid }) => paid))
      const weights = column('weight').map(({ type, value }) =>
        type === undefined ? null : Number(value),
      )
      expect(weights).to.deep.equal(rows.map(({ weight }) => weight))
    })

    it(`runs no text as a formula: ${file}`, () => {
      expect(
        cells()
          .flat()
          .some(({ isFormula }) => isFormula),
      ).to.equal(false)
      const notes = column('note')
      for (const [at, { note }] of rows.entries()) {
        if (!/^[\t=+\-@]/.test(String(note))) continue
        expect(notes[at]).to.deep.include({
          type: 'string',
          value: name === 'book' ? note : `'${note}`,
        })
      }
    })
  }

  it('has every text of the workbook as it was', () => {
    const notes = readSheet(fods['book']!, SHEETS.book)
      .slice(1, -1)
      .map(row => row[10]?.value ?? '')
    expect(notes).to.deep.equal(rows.map(({ note }) => String(note ?? '').replaceAll('\r\n', '\n')))
  })

  it('sums the columns to the totals, in roubles', async () => {
    for (const [name, sheet] of Object.entries(SHEETS)) {
      const end = rows.length + 1
      const cellsOf = (letter: string): string => `[$'${sheet}'.${letter}2:.${letter}${end}]`
      const sums = ['F', 'H'].map(
        letter => `<table:table-cell table:formula="of:=SUM(${cellsOf(letter)})"/>`,
      )
      const own = `<table:table table:name="sums"><table:table-row>${sums.join('')}</table:table-row></table:table>`
      // why: a function, as `$'` means something in a text to replace by
      const withSums = fods[name]!.replace('<table:table ', first => own + first)
      writeFileSync(join(folder, `${name}-sums.fods`), withSums)
    }
    await convert('--convert-to', RAW, 'book-sums.fods', 'table-sums.fods')
    for (const name of Object.keys(SHEETS)) {
      const [sums = []] = readCsv(
        readFileSync(join(folder, `${name}-sums.csv`), 'utf8').replaceAll(/\r?\n/g, '\r\n'),
        ';',
      )
      const [weight, roubles] = sums.map(text => Number(text?.replace(',', '.')))
      expect([weight, Math.round(roubles! * 100)], name).to.deep.equal([
        Number(totals['weight']),
        Number(totals['paid']),
      ])
    }
  })
})
