// The rules by the corpus: definitions in `corpus/bad`, whose faults their comments name, and right ones in `corpus/good`.
//
//     and sales.note = null -- expect: null-comparison     a finding of this line; `# expect:` in front matter
//     -- expect: no-key                                    on a line of its own: a finding of any line
//     and ... -- missed: union                             a fault that no rule finds, because a database shows it
//     and ... -- blamed: union                             a finding that is no fault, which an author allows
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { checkedFindings } from './bad-definitions.ts'
import { marked } from './corpus-marks.ts'

/** Most definitions are parts: they declare other columns, and some have no period. */
const OF_PARTS = new Set(['selected-columns', 'no-period', 'total-of-column'])

const read = (folder: string) =>
  readdirSync(`test/check/corpus/${folder}`).map(name => {
    const text = readFileSync(`test/check/corpus/${folder}/${name}`, 'utf8')
    return { name: `${folder}/${name}`, text, expected: marked(text, 'expect') }
  })

describe('the corpus', () => {
  for (const { name, text, expected } of [...read('bad'), ...read('good')]) {
    it(name, async () => {
      const [missed, blamed] = ['missed', 'blamed'].map(word => marked(text, word))
      const found = (await checkedFindings(text)).flatMap(({ line = 0, id }) => {
        const isOf = (marks: readonly string[] = []) =>
          marks.find(mark => [`${line}: ${id}`, `0: ${id}`].includes(mark))
        const mark = isOf(expected) ?? isOf(missed) ?? isOf(blamed) ?? `${line}: ${id}`
        return OF_PARTS.has(id) && !expected.includes(mark) ? [] : [mark]
      })
      expect([...new Set(found)]).to.have.members([...expected, ...blamed!])
    })
  }
})
