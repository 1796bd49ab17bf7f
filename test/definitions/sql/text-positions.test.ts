import { expect } from 'chai'
import * as fc from 'fast-check'
import { columnAt, lineAt, positionsIn } from '../../../src/definitions/sql/text-positions.ts'

const text = fc
  .array(fc.constantFrom('a', 'ё', '€', '😀', '👨‍👩‍👧', '\n', '\r\n', ' ', '\t'))
  .map(parts => parts.join(''))

describe('positions in a text', () => {
  it('are converted between bytes, characters and UTF-16 units', () => {
    fc.assert(
      fc.property(text, text => {
        const positions = positionsIn(text)
        let offset = 0
        for (const [count, character] of Array.from(text).concat('').entries()) {
          const before = text.slice(0, offset)
          expect(positions.ofByte(Buffer.byteLength(before))).to.equal(offset)
          expect(positions.ofCharacter(count)).to.equal(offset)
          expect(lineAt(text, offset)).to.equal(before.split('\n').length)
          const line = before.slice(before.lastIndexOf('\n') + 1)
          expect(columnAt(text, offset)).to.equal(Array.from(line).length + 1)
          offset += character.length
        }
      }),
    )
  })

  it('within a character or after the end are rounded down', () => {
    const positions = positionsIn('ё😀')
    expect([0, 1, 2, 3, 5, 6, 99].map(at => positions.ofByte(at))).to.deep.equal([
      0, 0, 1, 1, 1, 3, 3,
    ])
    expect([0, 1, 2, 99].map(at => positions.ofCharacter(at))).to.deep.equal([0, 1, 3, 3])
  })
})
