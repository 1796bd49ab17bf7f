import { expect } from 'chai'
import { aligned, fitted } from '../../src/terminal/columns.ts'
import { shortened, wrapped } from '../../src/terminal/text-width.ts'

describe('columns of a terminal', () => {
  it('aligns by what letters take, in whatever script, and leaves nothing at the end of a line', () => {
    const rows = ['Ёлка|1|x', 'e\u0301te\u0301|22|', '🙂 日|333|', '👨‍👩‍👧|4|y'].map(row =>
      row.split('|'),
    )
    expect(aligned(rows, ['left', 'right'])).to.deep.equal([
      'Ёлка     1  x',
      'e\u0301te\u0301     22',
      '🙂 日  333',
      '👨‍👩‍👧       4  y',
    ])
  })

  for (const [text, width, expected] of [
    ['Ромашка', 7, 'Ромашка'],
    ['Ромашка и сыновья', 9, 'Ромашка…'],
    ['и\u0306ии\u0306и', 3, 'и\u0306и…'],
    ['日本語', 4, '日…'],
  ] as const) {
    it(`shortens between letters and their marks, and never beyond the width: ${text}`, () => {
      expect(shortened(text, width)).to.equal(expected)
    })
  }

  it('wraps at words', () => {
    const lines = wrapped('В т. ч. просроченных выплат', 13)
    expect(lines.join('|')).to.equal('В т. ч.|просроченных|выплат')
  })

  it('narrows the widest columns first, down to their least', () => {
    expect(fitted([20, 10, 5], [4, 4, 4], 34)).to.deep.equal([15, 10, 5])
    expect(fitted([20, 10, 5], [4, 4, 4], 23)).to.deep.equal([7, 7, 5])
    expect(fitted([20, 10, 5], [18, 4, 5], 10)).to.deep.equal([18, 4, 5])
    expect(fitted([20, 10, 5], [4, 4, 4], undefined)).to.deep.equal([20, 10, 5])
  })
})
