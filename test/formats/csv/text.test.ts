import { expect } from 'chai'
import { writeCsvText } from '../../../src/formats/csv/text.ts'
import { fieldWritten } from '../field-written.ts'

const fieldOf = (text: string) => fieldWritten(writeCsvText, text)

const PLAIN = 'abcdefghi'

describe('text as a field of CSV', () => {
  it('is in quotes for each byte that is or may be a separator, in each place among plain ones', () => {
    for (let code = 1; code < 0x80; code += 1) {
      const letter = String.fromCharCode(code)
      const needsQuotes = code < 0x20 || '",;'.includes(letter)
      const escaped = letter === '"' ? '""' : letter
      for (let at = 0; at <= PLAIN.length; at += 1) {
        const [before, after] = [PLAIN.slice(0, at), PLAIN.slice(at)]
        const isOuter = letter === ' ' && (before === '' || after === '')
        const field = `${before}${escaped}${after}`
        expect(fieldOf(`${before}${letter}${after}`)).to.equal(
          needsQuotes || isOuter ? `"${field}"` : field,
        )
      }
    }
  })

  it('is itself where it is plain, of any length', () => {
    for (let length = 1; length < 20; length += 1) {
      const text = 'я€a🙂'.repeat(5).slice(0, length)
      expect(fieldOf(text)).to.equal(Buffer.from(text).toString())
    }
  })

  it('is a pair of quotes where it is empty', () => {
    expect(fieldOf('')).to.equal('""')
  })
})
