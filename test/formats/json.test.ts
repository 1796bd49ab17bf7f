import { expect } from 'chai'
import * as fc from 'fast-check'
import { JSON_FORMAT, NDJSON_END_FORMAT, NDJSON_FORMAT } from '../../src/serve/formats/json/json.ts'
import { anyRow, TEXTS_OF_EACH_BYTE } from './any-row.ts'
import { expectedJson } from './oracle.ts'
import { EVERY_TYPE, OF_TYPE, SALES, bodyOf, type Row } from './report-body.ts'

const zone = fc.constantFrom(
  'Europe/Moscow',
  'Asia/Kathmandu',
  'America/New_York',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
  'UTC',
)
const rows = fc.array(anyRow({ integer: 30, decimals: 20 }), { maxLength: 12 })

/** The JSON object of a row, with the digits that PostgreSQL printed. */
function expectedObject(row: Row, timeZone: string): string {
  const fields = EVERY_TYPE.columns.map(({ key, type }, index) => {
    const raw = row[index] ?? null
    return `"${key}":${raw === null ? 'null' : expectedJson(type, raw.toString(), timeZone)}`
  })
  return `{${fields.join(',')}}`
}

describe('the JSON of a report', () => {
  it('has code, period, columns, one row per line, totals with their label, and the summary', () => {
    const amount = '9007199254740993'
    // why: the order in the statement differs from the columns'
    const options = { totals: { amount }, indexes: [1, 2, 0] }
    const body = [[null, 'У моря', amount] as const, ['=1+1', null, '-5'] as const]
    expect(bodyOf(JSON_FORMAT, SALES, body, options).toString()).to.equal(
      `{"code":"sales","period":{"from":"2026-01-01","to":"2026-12-31"},"columns":[{"key":"shop","title":"Магазин","type":"text"},{"key":"amount","title":"Сумма","type":"money"},{"key":"note","title":"Заметка","type":"text"}],"rows":[{"shop":"У моря","amount":${amount},"note":null},\n{"shop":null,"amount":-5,"note":"=1+1"}],"totals":{"shop":"Итого","amount":${amount},"note":null},"summary":"За 2026 год продано на 90\u00a0071\u00a0992\u00a0547\u00a0409,93\u00a0₽."}\n`,
    )
  })

  it('has any data as JSON.stringify and Intl write it, in NDJSON as in JSON', () => {
    fc.assert(
      fc.property(rows, zone, (rows, timeZone) => {
        const objects = rows.map(row => expectedObject(row, timeZone))
        const lines = bodyOf(NDJSON_FORMAT, EVERY_TYPE, rows, { timeZone })
        expect(lines.toString()).to.equal(objects.map(object => `${object}\n`).join(''))
        const body = bodyOf(JSON_FORMAT, EVERY_TYPE, rows, { timeZone }).toString()
        expect(body).to.include(`"rows":[${objects.join(',\n')}],"totals"`)
      }),
      { numRuns: 200 },
    )
  })

  it('escapes each byte as JSON.stringify does', () => {
    const rows = TEXTS_OF_EACH_BYTE.map(text => ['a', text])
    const lines = bodyOf(NDJSON_FORMAT, OF_TYPE.text, rows).toString().split('\n').slice(0, -1)
    const expected = TEXTS_OF_EACH_BYTE.map(value => JSON.stringify({ label: 'a', value }))
    expect(lines).to.deep.equal(expected)
  })
})

describe('the NDJSON of a report', () => {
  const sales = (rows: readonly Row[]) =>
    bodyOf(NDJSON_END_FORMAT, SALES, rows, { totals: { amount: '9007199254740993' } }).toString()

  it('is empty without rows', () => {
    expect(bodyOf(NDJSON_FORMAT, SALES, []).toString()).to.equal('')
  })

  it('ends with the number of rows, totals and summary if the client requests it', () => {
    const end = (rows: number, sentence: string) =>
      `{"_end":true,"rows":${rows},"totals":{"shop":"Итого","amount":9007199254740993,"note":null},"summary":"За 2026 год ${sentence}"}\n`
    expect(sales([['У моря', '5', null]])).to.equal(
      `{"shop":"У моря","amount":5,"note":null}\n${end(1, 'продано на 90\u00a0071\u00a0992\u00a0547\u00a0409,93\u00a0₽.')}`,
    )
    expect(sales([])).to.equal(end(0, 'данных нет.'))
  })
})
