import { expect } from 'chai'
import { Problem } from '../../src/errors.ts'
import { chooseFormat, mediaTypes, reportName } from '../../src/http/choose-format.ts'

describe('chooseFormat', () => {
  const nothing = (): false => false
  const accepting = (type: string) => (types: readonly string[]) =>
    types.includes(type) ? type : (false as const)
  const nameOf = (...asked: Parameters<typeof chooseFormat>) => chooseFormat(...asked).format.name
  const problemOf = (...asked: Parameters<typeof chooseFormat>): Problem => {
    try {
      chooseFormat(...asked)
    } catch (error) {
      if (error instanceof Problem) return error
    }
    throw new Error('no problem')
  }

  it('goes by the suffix, then by format, then by what is accepted', () => {
    const csv = accepting('text/csv')
    expect(nameOf('xlsx', { format: 'csv' }, csv)).to.equal('xlsx')
    expect(nameOf(undefined, { format: 'parquet' }, csv)).to.equal('parquet')
    expect(nameOf(undefined, {}, csv)).to.equal('csv')
  })

  it('is JSON for who accepts nothing that there is', () => {
    expect(nameOf(undefined, {}, nothing)).to.equal('json')
  })

  it('has the shapes that a parameter asks for', () => {
    expect(chooseFormat('csv', { preset: 'excel' }, nothing)).to.deep.include({
      parameters: [['preset', 'excel']],
    })
    expect(nameOf('csv', { preset: 'excel' }, nothing)).to.equal('csv-excel')
    expect(nameOf('ndjson', { end: 'true' }, nothing)).to.equal('ndjson-end')
    expect(nameOf('ndjson', { end: 'false' }, nothing)).to.equal('ndjson')
  })

  it('refuses a format that does not exist, wherever it stands, and says which there are', () => {
    for (const format of ['docx', '', 'CSV', ['csv', 'csv']]) {
      for (const extension of [undefined, 'csv'] as const) {
        const { code, detail } = problemOf(extension, { format }, nothing)
        expect(code).to.equal('bad_format')
        expect(detail.ru).to.include('json, ndjson, csv, xlsx, parquet')
      }
    }
  })

  it('refuses a parameter that has another value, and ignores one of another format', () => {
    expect(problemOf('csv', { preset: 'word' }, nothing).detail.en).to.equal(
      'Parameter preset is "word"; expected one of excel.',
    )
    expect(problemOf('ndjson', { end: ['true', 'true'] }, nothing).detail.en).to.include('once')
    expect(nameOf(undefined, { preset: 'excel', end: '2026-12-31' }, nothing)).to.equal('json')
  })
})

describe('mediaTypes', () => {
  const chosen = (accept: string) => mediaTypes(accept)(['application/json', 'text/csv'])

  it('is what is preferred, whatever parameters it has', () => {
    expect(chosen('text/csv; charset=utf-8; header=present')).to.equal('text/csv')
    expect(chosen('application/json;q=0.5, text/csv;charset=utf-8;q=0.9')).to.equal('text/csv')
    expect(chosen('text/csv;q=0.1, */*')).to.equal('application/json')
    expect(chosen('text/csv; q=0.1, application/json ;\tq=0.9')).to.equal('application/json')
    expect(chosen('text/csv; charset=utf-8; q=0, application/json; q=0.1')).to.equal(
      'application/json',
    )
    expect(chosen('text/*, application/json;q=0.9')).to.equal('text/csv')
    expect(chosen('text/*;q=0.9, text/csv;q=0.1, application/json;q=0.5')).to.equal(
      'application/json',
    )
    expect(chosen('text/*, application/json')).to.equal('application/json')
    expect(chosen('text/csv, application/json')).to.equal('text/csv')
    expect(chosen('text/csv;q=x')).to.equal(false)
    expect(chosen('')).to.equal('application/json')
    expect(chosen('image/png')).to.equal(false)
  })
})

describe('reportName', () => {
  it('is a code and a suffix that is of a format', () => {
    expect(reportName('sales')).to.deep.equal({ code: 'sales', extension: undefined })
    expect(reportName('sales.csv')).to.deep.equal({ code: 'sales', extension: 'csv' })
    expect(reportName('sales.csv.csv')).to.deep.equal({ code: 'sales.csv', extension: 'csv' })
    for (const text of ['sales.', 'sales.CSV', 'sales.txt', '.']) {
      expect(reportName(text), text).to.equal(undefined)
    }
  })
})
