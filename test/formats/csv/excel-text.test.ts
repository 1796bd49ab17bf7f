import { expect } from 'chai'
import { writeExcelText } from '../../../src/formats/csv/excel-text.ts'
import { fieldWritten } from '../field-written.ts'

const cell = (text: string | Buffer) => fieldWritten(writeExcelText, text)

describe('text as a cell that nothing is run of', () => {
  it('has an apostrophe, in quotes, where it begins as a formula', () => {
    for (const text of [
      '=1+1',
      '+79990000000',
      '-1',
      '@SUM(A1)',
      '＝1+1',
      '＋1',
      '－1',
      '＠SUM(A1)',
    ]) {
      expect(cell(text)).to.equal(`"'${text}"`)
    }
    expect(cell('=HYPERLINK("http://a";"b")')).to.equal(`"'=HYPERLINK(""http://a"";""b"")"`)
  })

  it('has one where the formula stands behind blanks, quotes or what nobody sees', () => {
    for (const before of [
      ' ',
      '   ',
      "'",
      '\u00a0',
      '\u200b',
      '\ufeff',
      '\u3000',
      '\u0001',
      '\u202e',
    ]) {
      expect(cell(`${before}=1+1`), JSON.stringify(before)).to.equal(`"'${before}=1+1"`)
    }
    expect(cell('"=1+1')).to.equal(`"'""=1+1"`)
  })

  it('has one where it begins with a tab or the end of a line', () => {
    for (const first of ['\t', '\r', '\n']) expect(cell(`${first}a`)).to.equal(`"'${first}a"`)
  })

  it('is as it was everywhere else, also where Excel takes it for a number or a date', () => {
    const plain = [
      '0012',
      '1-2',
      '2E5',
      '40702810900000012345',
      '-',
      '—',
      '«Ромашка»',
      'а=б',
      '№ 1',
      '€',
    ]
    for (const text of plain) expect(cell(text)).to.equal(text)
    expect(cell(' ')).to.equal('" "')
    expect(cell('"Ромашка"')).to.equal('"""Ромашка"""')
    expect(cell('')).to.equal('""')
  })

  it('is in quotes where a spreadsheet that separates by commas or tabs would see another cell', () => {
    expect(cell('a,=1+1')).to.equal('"a,=1+1"')
    expect(cell('a\t=1+1')).to.equal('"a\t=1+1"')
  })

  it('is no formula where bytes that are no UTF-8 come first', () => {
    expect(cell(Buffer.from([0xff, 0x3d, 0x31]))).to.equal('\ufffd=1')
  })
})
