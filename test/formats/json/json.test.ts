import { expect } from 'chai'
import * as fc from 'fast-check'
import { JSON_FORMAT } from '../../../src/formats/json/json.ts'
import { SALES, written as writtenIn, type Row } from '../written.ts'

describe('the JSON body of a report', () => {
  /** Rows are `note, shop, amount`, other than the columns are. */
  const written = (rows: readonly Row[]) =>
    writtenIn(JSON_FORMAT, SALES, rows, { amount: '9007199254740993' }, [1, 2, 0])

  const bytesOf = (text: string | null) => (text === null ? null : Buffer.from(text))

  it('has the digits of its figures, one row on a line, and the totals under their label', () => {
    const body = written([
      [null, Buffer.from('У моря'), Buffer.from('9007199254740993')],
    ]).toString()
    expect(body).to.include(
      '"rows":[{"shop":"У моря","amount":9007199254740993,"note":null}],"totals":{"shop":"Итого","amount":9007199254740993,"note":null},"summary":"За 2026',
    )
    expect(body.endsWith('}\n')).to.equal(true)
  })

  it('is what JSON.stringify would have made, of rows of any size', () => {
    const text = fc.option(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('\u0001'.repeat(30_000), 'я"'.repeat(60_000)),
        fc.string({ unit: fc.constantFrom('"', '\u0001', 'я'), maxLength: 2000, size: 'max' }),
      ),
    )
    const row = fc.record({ shop: text, amount: fc.option(fc.integer()), note: text })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 10 }), rows => {
        const raw = rows.map(
          ({ shop, amount, note }) =>
            [
              bytesOf(note),
              bytesOf(shop),
              amount === null ? null : Buffer.from(`${amount}`),
            ] as const,
        )
        const expected = rows.map(fields => JSON.stringify(fields)).join(',\n')
        expect(written(raw).toString()).to.include(`"rows":[${expected}],"totals"`)
      }),
      { numRuns: 60 },
    )
  })

  it('is UTF-8, whatever the database takes for text', () => {
    const broken = Buffer.from([0x61, 0xff, 0xd0, 0x22, 0xc3])
    const body = written([[broken, Buffer.from('я'), null]])
    expect(JSON.parse(body.toString())).to.have.nested.property('rows[0].note', broken.toString())
    expect(Buffer.from(body.toString())).to.deep.equal(body)
  })

  it('has all of a text of megabytes', () => {
    const note = 'ш"'.repeat(3_000_000)
    const body = written([[Buffer.from(note), Buffer.from('я'), null]])
    expect(JSON.parse(body.toString()).rows).to.deep.equal([{ shop: 'я', amount: null, note }])
  })
})
