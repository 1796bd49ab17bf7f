// Each definition states its cost, and each recommended index names the definitions that use it.
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { ourCatalog } from '../subject.ts'

const { reports, metricsFiles } = ourCatalog()
const definitions = [...reports.values(), ...metricsFiles.values()]
const indexes = readFileSync('sql/product/recommended-indexes.sql', 'utf8').replaceAll(
  /\n-- (?!Serves)/g,
  ' ',
)
const SERVES = /^-- Serves ([\w/, ]+)[.:].*\ncreate index (\w+)/gm

/** The comment under the front matter, on one line. */
function comment(file: string): string {
  const [, statement = ''] = readFileSync(file, 'utf8').split('---*/\n')
  return statement
    .split('\n')
    .filter(line => line.startsWith('-- '))
    .map(line => line.slice(3))
    .join(' ')
}

describe('the cost of', () => {
  for (const { name, file } of definitions) {
    it(`${name} is in its comment, with a date`, () => {
      const missing = `${file}: under its front matter belongs what make tuned REPORT=${name} prints`
      expect(comment(file), missing).to.match(
        /^Tuned \d{4}-\d\d-\d\d, over this year: [\d.]+ ms and [\d,]+ buffers for the median demo organization, [\d.]+ ms and [\d,]+ for the large one[,;]/,
      )
    })
  }
})

describe('the recommended index', () => {
  for (const [, served = '', name = ''] of indexes.matchAll(SERVES)) {
    it(`${name} names exactly the definitions that name it`, () => {
      const naming = definitions.filter(({ file }) => comment(file).includes(name))
      expect(served.split(/,\s+/)).to.have.members(naming.map(definition => definition.name))
    })
  }

  it('has a comment', () => {
    expect([...indexes.matchAll(SERVES)].length).to.equal(indexes.match(/^create/gm)?.length)
  })
})
