import { expect } from 'chai'
import * as fc from 'fast-check'
import { expectedJson } from '../oracle.ts'
import { ORGANIZATION } from '../written.ts'
import { cellOf, forAll, shown } from './column.ts'
import type { Cell } from './reader.ts'

const DAY_MS = 86_400_000
/** Excel's day 0, of dates from 1900-03-01 on. */
const DAY_0 = Date.UTC(1899, 11, 30)
const FIRST_DAY = '1900-03-01'

const date = fc
  .date({ min: new Date('1890-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map(day => day.toISOString())

describe('a day or a time as a cell of Excel', () => {
  it('is the day of a date, and text before Excel counts', () => {
    const day = date.map(instant => instant.slice(0, 10))
    const dayFirst = (field: string): string => field.split('-').toReversed().join('.')
    forAll('date', day, (cell, field) => {
      expect(dayOf(cell)).to.equal(field < FIRST_DAY ? dayFirst(field) : field)
    })
    forAll('month', day, (cell, field) => {
      const first = `${field.slice(0, 7)}-01`
      expect(dayOf(cell)).to.equal(first < FIRST_DAY ? dayFirst(field).slice(3) : first)
    })
    expect(shown('date', '1900-02-28')).to.equal('s 28.02.1900 as @')
    expect(shown('date', FIRST_DAY)).to.equal('n 61 as dd\\.mm\\.yyyy')
    expect(shown('month', '2026-01')).to.equal('n 46023 as mm\\.yyyy')
  })

  it('is the local time of an instant, to the millisecond', () => {
    const fraction = fc.constantFrom('', '.5', '.001', '.999999', '.123456')
    const instants = fc
      .tuple(date, fraction)
      .map(([instant, rest]) => `${instant.slice(0, 19).replace('T', ' ')}${rest}+00`)
      // why: it may be another year there, and have five digits
      .filter(instant => !instant.startsWith('9999-12-31'))
    forAll('datetime', instants, (cell, field) => {
      const local = expectedJson('datetime', field, ORGANIZATION.timeZone)!.slice(1)
      const ms = field.slice(20, -3).slice(0, 3).padEnd(3, '0')
      if (local < FIRST_DAY) expect(cell.type).to.equal('s')
      else expect(timeOf(cell)).to.equal(`${local.slice(0, 19)}.${ms}`)
    })
    const shows = (fraction: string) => shown('datetime', `2026-03-01 20:59:59${fraction}+00`)
    expect(shows('')).to.equal('n 46082.99998842593 as dd\\.mm\\.yyyy\\ hh:mm:ss')
    expect(shows('.9999')).to.equal('n 46082.99999998843 as dd\\.mm\\.yyyy\\ hh:mm:ss.000')
    expect(cellOf('datetime', '1880-06-01 10:00:00.5+00').text).to.equal('01.06.1880 12:30:00.5')
  })
})

/** A text stands for itself. */
function dayOf({ text, type }: Cell): string {
  return type === 's' ? text : new Date(DAY_0 + Number(text) * DAY_MS).toISOString().slice(0, 10)
}

function timeOf({ text }: Cell): string {
  return new Date(DAY_0 + Math.round(Number(text) * DAY_MS)).toISOString().slice(0, -1)
}
