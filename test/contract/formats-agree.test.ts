// Every report of the product has equal rows in every format.
import { expect } from 'chai'
import type { Column } from '../../src/model/terms.ts'
import { expectedValue, READERS, type Value } from '../formats/format-readers.ts'
import { readWorkbook } from '../formats/xlsx/reader.ts'
import { OF_LAST_TWELVE_MONTHS } from '../harness/last-twelve-months.ts'
import { ourCatalog } from '../sql/subject.ts'
import { PATHS_OF_READERS } from './gateways.ts'
import { productBodies } from './product-bodies.ts'

interface Answer {
  readonly columns: readonly Column[]
  readonly rows: ReadonlyArray<Readonly<Record<string, Value>>>
}

describe('the formats of every report', () => {
  const { fetchBody } = productBodies()
  const fetchRows = (path: string, key?: string) => fetchBody(path, OF_LAST_TWELVE_MONTHS, key)

  for (const code of ourCatalog().reports.keys()) {
    it(`have equal rows: ${code}`, async () => {
      const { columns, rows } = JSON.parse((await fetchRows(code)).toString()) as Answer
      expect(rows).to.not.have.length(0)
      for (const [format, path] of Object.entries(PATHS_OF_READERS)) {
        const expected = rows.map(row =>
          columns.map(({ key, type }) => expectedValue(row[key]!, type, format)),
        )
        const actual = await READERS[format]!(await fetchRows(`${code}${path}`), columns)
        expect(actual, format).to.have.length(expected.length)
        const wrong = actual.findIndex((row, at) => String(row) !== String(expected[at]))
        expect([format, actual[wrong]]).to.deep.equal([format, expected[wrong]])
      }
    })
  }

  it('have taxpayer numbers that begin with 0, as texts of a workbook', async () => {
    const key = 'sk_demo_large'
    const { rows } = JSON.parse((await fetchRows('customers_abc', key)).toString()) as Answer
    const inns = rows.map(({ inn }) => String(inn)).filter(inn => inn.startsWith('0'))
    expect(inns).to.not.have.length(0)
    const cells = readWorkbook(await fetchRows('customers_abc.xlsx', key)).rows.flatMap(row => [
      ...row.values(),
    ])
    const texts = cells.filter(({ type }) => type === 's').map(({ text }) => text)
    expect(texts).to.include.members(inns)
  })
})
