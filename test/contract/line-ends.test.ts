// Readers of lines, such as Python's splitlines, also cut at U+0085, U+2028 and U+2029.
import { expect } from 'chai'
import { needs, run } from '../clients/clients.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { shopsFolder } from './gateways.ts'

const ENDS = '\u0085 и \u2028, \u2029\u2029.'
const ROWS = ['а', '— «б» №', ''].map(text => text + ENDS)
const UNCHANGED = '\u0084\u0086\u00a0\u2027\u202a…₽€'

const REPORT = `/*---
title: ${JSON.stringify(`Строки${ENDS}`)}
columns:
  name: { title: ${JSON.stringify(`Имя${ENDS}`)}, type: text }
facts:
  last: { type: text, total: max(name) }
key: [name]
summary: ${JSON.stringify(`За {period} есть ${ENDS}{last}`)}
shared: true
---*/
select name from (values ${[...ROWS, UNCHANGED].map(text => `('${text}')`).join()}) as texts (name)
order by name
`

const METRICS = `/*---
metrics:
  lines: { title: ${JSON.stringify(`Строк${ENDS}`)}, format: integer }
---*/
select count(*) as lines from receipts where shop_id = :organization_id
`

describe('a text with line ends of Unicode', () => {
  const SQL_DIR = shopsFolder({ 'reports/sales/lines.sql': REPORT, 'metrics/lines.sql': METRICS })
  const world = shopsGateway({ SQL_DIR })

  for (const path of ['reports/lines.ndjson?end=true', 'reports/lines', 'reports', 'metrics']) {
    it(`is one line for Python: ${path}`, async function () {
      const python = await needs(this, 'python3', ['python3'], ['-c', 'pass'])
      const { text } = await world.ask(`/${path}`)
      const lines = text.trimEnd().split('\n')
      expect(text).to.match(/\\u0085.*\\u2028.*\\u2029/)
      const program = 'import json, sys; print(json.dumps(sys.argv[1].splitlines()))'
      const { stdout } = await run(python, ['-c', program, text])
      expect(JSON.parse(stdout.toString())).to.deep.equal(lines)
      if (path.includes('ndjson')) expect(lines).to.have.length(5)
    })
  }

  it('is unchanged for a reader of JSON, and other characters are not escaped', async () => {
    const { json, text } = await world.ask('/reports/lines')
    const names = json.rows.map(({ name }: { name: string }) => name)
    expect(names).to.have.members([...ROWS, UNCHANGED])
    expect(json.columns[0].title).to.equal(`Имя${ENDS}`)
    expect(json.summary).to.include(ENDS)
    expect(text).to.include(UNCHANGED)
  })
})
