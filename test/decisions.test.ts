// The decision notes: numbered without gaps, short, and with three parts.
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'

describe('the decision notes', () => {
  const files = readdirSync('src/decisions').toSorted()

  it('are numbered without gaps, in the file name and in the title', () => {
    const titles = files.map(
      file => /^# (\d+)\. /.exec(readFileSync(`src/decisions/${file}`, 'utf8'))?.[1],
    )
    const numbers = files.map((_, at) => String(at + 1))
    expect(titles).to.deep.equal(numbers)
    expect(files.map(file => file.slice(0, 5))).to.deep.equal(
      numbers.map(number => `${number.padStart(4, '0')}-`),
    )
  })

  for (const file of files) {
    it(`have context, decision and consequences in fewer than 40 lines: ${file}`, () => {
      const text = readFileSync(`src/decisions/${file}`, 'utf8')
      expect(text.split('\n')).to.have.length.below(41)
      for (const part of ['Context', 'Decision', 'Consequences']) {
        expect(text).to.match(new RegExp(String.raw`^\*\*${part}\.\*\*`, 'm'))
      }
    })
  }
})
