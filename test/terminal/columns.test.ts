import { expect } from 'chai'
import { aligned, fitted } from '../../src/terminal/columns.ts'
import { filled, shortened, textWidth, wrapped } from '../../src/terminal/text-width.ts'

describe('columns of a terminal', () => {
  it('aligns by what letters take, in whatever script, and leaves nothing at the end of a line', () => {
    const rows = [
      ['Ёлка', '1', 'x'],
      ['e\u0301te\u0301', '22', ''],
      ['🙂 日', '333', ''],
    ]
    expect(aligned(rows, ['left', 'right'])).to.deep.equal([
      'Ёлка     1  x',
      'e\u0301te\u0301     22',
      '🙂 日  333',
    ])
  })

  it('counts an emoji of several parts once', () => {
    expect(textWidth('👨‍👩‍👧')).to.equal(2)
    expect(filled('👨‍👩‍👧', 4, 'left')).to.equal('👨‍👩‍👧  ')
  })

  it('shortens between letters and their marks, and never beyond the width', () => {
    expect(shortened('Ромашка', 7)).to.equal('Ромашка')
    expect(shortened('Ромашка и сыновья', 9)).to.equal('Ромашка…')
    expect(shortened('и\u0306ии\u0306и', 3)).to.equal('и\u0306и…')
    expect(shortened('日本語', 4)).to.equal('日…')
  })

  it('wraps at words', () => {
    expect(wrapped('В т. ч. просроченных выплат', 13)).to.deep.equal([
      'В т. ч.',
      'просроченных',
      'выплат',
    ])
  })

  it('narrows the widest columns first, down to their least', () => {
    expect(fitted([20, 10, 5], [4, 4, 4], 34)).to.deep.equal([15, 10, 5])
    expect(fitted([20, 10, 5], [4, 4, 4], 23)).to.deep.equal([7, 7, 5])
    expect(fitted([20, 10, 5], [18, 4, 5], 10)).to.deep.equal([18, 4, 5])
    expect(fitted([20, 10, 5], [4, 4, 4], undefined)).to.deep.equal([20, 10, 5])
  })
})
