import { expect } from 'chai'
import * as fc from 'fast-check'
import { FieldError, type Format } from '../../../src/formats/format.ts'
import { JSON_FORMAT } from '../../../src/formats/json/json.ts'
import { NDJSON_END_FORMAT, NDJSON_FORMAT } from '../../../src/formats/json/ndjson.ts'
import { load, REPORT } from '../../definitions/sql-folder.ts'
import { EVERY_TYPE, rowOfEveryType } from '../every-type.ts'
import { written, type Row } from '../written.ts'

const sales = load({ 'reports/shop/sales.sql': REPORT }).reports.get('sales')!
const TOTALS = { amount: '9007199254740993' }
const ROWS: Row[] = [
  ['У моря', '9007199254740993'],
  [null, null],
]

const salesIn = (format: Format, rows = ROWS) => written(format, sales, rows, TOTALS).toString()

describe('the NDJSON of a report', () => {
  it('has a row on each line, and nothing around them', () => {
    expect(salesIn(NDJSON_FORMAT)).to.equal(
      '{"shop":"У моря","amount":9007199254740993}\n{"shop":null,"amount":null}\n',
    )
  })

  it('is empty where no rows are', () => {
    expect(salesIn(NDJSON_FORMAT, [])).to.equal('')
  })

  it('has in its lines the bytes of the rows of JSON, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(rowOfEveryType, { minLength: 1, maxLength: 5 }), rows => {
        const lines = written(NDJSON_FORMAT, EVERY_TYPE, rows, {}).toString().split('\n')
        expect(lines.pop()).to.equal('')
        const json = written(JSON_FORMAT, EVERY_TYPE, rows, {}).toString()
        expect(json).to.include(`"rows":[${lines.join(',\n')}],"totals"`)
      }),
    )
  })

  it('tells an asker for the end that it has all rows, with their totals and the sentence', () => {
    const [first, second, ...rest] = salesIn(NDJSON_END_FORMAT).split('\n')
    expect(`${first}\n${second}\n`).to.equal(salesIn(NDJSON_FORMAT))
    expect(rest[0]).to.match(
      /^\{"_end":true,"rows":2,"totals":\{"shop":"Итого","amount":9007199254740993\},"summary":"За 2026 год/,
    )
    expect(JSON.parse(rest[0]!).summary).to.equal(JSON.parse(salesIn(JSON_FORMAT)).summary)
    expect(rest.slice(1)).to.deep.equal([''])
  })

  it('has an end of no rows, too', () => {
    expect(salesIn(NDJSON_END_FORMAT, [])).to.match(/^\{"_end":true,"rows":0,.*\}\n$/)
  })

  it('is refused where a field is not of its type', () => {
    expect(() => salesIn(NDJSON_FORMAT, [['У моря', '1.5']])).to.throw(
      FieldError,
      'amount: "1.5" is no money',
    )
  })
})
