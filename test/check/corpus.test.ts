// The corpus without a database: rules on the text, and what loading refuses.
import { expect } from 'chai'
import { corpus, expectedNames, findingsIn, named } from './corpus.ts'

/** Most definitions are parts: they declare other columns, and some have no period. */
const OF_PARTS = new Set(['no-period'])

describe('the corpus', () => {
  for (const { name, text, marks } of [...corpus('bad'), ...corpus('good')]) {
    it(name, async () => {
      const expected = marks('expect')
      // why: loading needs the tables in tenancy.yaml, which the rules do not
      const all = (await findingsIn(text)).filter(({ id }) => id !== 'load')
      const found = all.flatMap(({ line = 0, id }) => {
        const mark = [`${line}: ${id}`, `0: ${id}`].find(one => expected.includes(one))
        return mark ?? (OF_PARTS.has(id) ? [] : `${line}: ${id}`)
      })
      expect([...new Set(found)]).to.have.members(expected)
    })
  }

  for (const file of corpus('load')) {
    it(file.name, async () => {
      expect(named(await findingsIn(file.text), file)).to.have.members(expectedNames(file))
    })
  }
})
