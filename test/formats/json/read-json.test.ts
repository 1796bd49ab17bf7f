import { expect } from 'chai'
import * as fc from 'fast-check'
import { JSON_FORMAT } from '../../../src/formats/json/json.ts'
import { createOutput, takeAll } from '../../../src/formats/output.ts'
import { createJsonRows } from '../../../src/formats/json/read-json.ts'
import { rawFields } from '../../../src/row-bytes.ts'
import { ALL_TYPES, anyRows, ORGANIZATION, PERIOD, written } from '../written.ts'

describe('the rows of a JSON body', () => {
  const definition = ALL_TYPES
  const subject = { definition, organization: ORGANIZATION, period: PERIOD }

  it('are those that it was made of, whatever they hold', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(3), (rows, few) => {
        const body = written(JSON_FORMAT, definition, rows, { amount: '-5', share: null })
        const found: unknown[] = []
        const json = createJsonRows(subject, body)
        let budget = 0
        const enough = () => budget-- <= 0
        while (!json.read(row => found.push(rawFields(row)), enough)) budget = few + 1
        expect(found).to.deep.equal(rows)
        const { totals, rowCount, summary } = json.ending()
        expect(rowCount).to.equal(rows.length)
        expect([totals.get('amount'), totals.get('share')]).to.deep.equal(['-5', null])
        expect(body.toString()).to.include(`"summary":${JSON.stringify(summary)}}`)
      }),
    )
  })

  it('make the same JSON again', () => {
    fc.assert(
      fc.property(anyRows, rows => {
        const body = written(JSON_FORMAT, definition, rows, { amount: '0' })
        const json = createJsonRows(subject, body)
        const output = createOutput(true)
        const writer = JSON_FORMAT.createWriter(subject)
        const places = definition.columns.map((_, order) => order)
        writer.head(output)
        json.read(
          row => writer.row(output, row, places),
          () => false,
        )
        writer.tail(output, json.ending())
        expect(takeAll(output)).to.deep.equal(body)
      }),
    )
  })
})
