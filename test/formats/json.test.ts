import { expect } from 'chai'
import * as fc from 'fast-check'
import { JSON_FORMAT } from '../../src/formats/json.ts'
import { createOutput, takeChunk } from '../../src/formats/output.ts'
import { viewOf, type RowBytes } from '../../src/row-bytes.ts'
import type { RawField } from '../../src/terms.ts'
import { load } from '../definitions/sql-folder.ts'

const REPORT = `/*---
title: Продажи
columns:
  shop: { title: Магазин, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
  note: { title: Заметка, type: text, total: none }
key: [shop]
summary: За {period} продано на {amount}.
---*/
select shop, amount, note from sales where organization_id = :organization_id order by shop
`

/** As it would lie in a packet, with other bytes around. */
function rowOf(fields: ReadonlyArray<Buffer | null>): RowBytes {
  const starts = new Int32Array(fields.length)
  const ends = new Int32Array(fields.length)
  const parts: Buffer[] = [Buffer.from('before')]
  let at = 6
  for (const [place, field] of fields.entries()) {
    starts[place] = field === null ? -1 : at
    at += field?.length ?? 0
    ends[place] = at
    parts.push(field ?? Buffer.alloc(0))
  }
  const bytes = Buffer.concat([...parts, Buffer.from('after')])
  const fieldCount = fields.length
  return { bytes, view: viewOf(bytes), start: 6, end: at, starts, ends, fieldCount }
}

describe('the JSON body of a report', () => {
  const definition = load({ 'reports/shop/sales.sql': REPORT }).reports.get('sales')!
  const organization = { id: '7', idType: 'integer', timeZone: 'Europe/Moscow', entitled: true }
  const period = { start: '2026-01-01', end: '2027-01-01' }

  /** Rows are `note, shop, amount`, other than the columns are. */
  function written(rows: ReadonlyArray<readonly [Buffer | null, Buffer | null, Buffer | null]>) {
    const output = createOutput()
    const writer = JSON_FORMAT.createWriter({ definition, organization, period })
    writer.head(output)
    for (const row of rows) writer.row(output, rowOf(row), [1, 2, 0])
    const fields = new Map<string, RawField>([['amount', '9007199254740993']])
    writer.tail(output, { fields, rowCount: rows.length, period, today: '2026-11-21' })
    return takeChunk(output)
  }

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
