import { expect } from 'chai'
import { printable } from '../src/model/errors.ts'

describe('a value in a problem', () => {
  it('has at most 40 characters', () => {
    expect(printable('a'.repeat(40))).to.equal('a'.repeat(40))
    expect(printable('a'.repeat(41))).to.equal(`${'a'.repeat(40)}…`)
    expect(printable('😀'.repeat(40))).to.equal('😀'.repeat(40))
    expect(printable('😀'.repeat(41))).to.equal(`${'😀'.repeat(40)}…`)
    expect(printable(`a${'😀'.repeat(50)}`)).to.equal(`a${'😀'.repeat(39)}…`)
  })

  it('has no control characters, direction marks or lone surrogates', () => {
    expect(printable('a\0b\n\u202ec\ud83dd\u00a0')).to.equal('a?b??c?d?')
    expect(printable('2026-01-31 №«Ё»+😀')).to.equal('2026-01-31 №«Ё»+😀')
  })
})
