import { expect } from 'chai'
import * as fc from 'fast-check'
import { createWriteExcel } from '../../../src/formats/csv/excel-field.ts'
import type { ColumnType } from '../../../src/terms.ts'
import { fieldWritten } from '../field-written.ts'
import { expectedJson } from '../oracle.ts'

function field(
  type: Exclude<ColumnType, 'text'>,
  raw: string,
  timeZone = 'Europe/Moscow',
): string | undefined {
  return fieldWritten(createWriteExcel(type, timeZone), raw)
}

describe('a field as Excel reads it', () => {
  it('is money in roubles, always with two decimals and never in groups', () => {
    const written = ['0', '5', '-5', '50', '-50', '100', '-123450', '123456789'].map(raw =>
      field('money', raw),
    )
    expect(written).to.deep.equal([
      '0,00',
      '0,05',
      '-0,05',
      '0,50',
      '-0,50',
      '1,00',
      '-1234,50',
      '1234567,89',
    ])
    expect(field('money', '123456789012345678901234567890')).to.equal(
      '1234567890123456789012345678,90',
    )
  })

  it('is a number digit for digit, with a decimal comma', () => {
    expect(field('number', '-0.125')).to.equal('-0,125')
    expect(field('percent', '12.50')).to.equal('12,50')
    expect(field('number', '1234')).to.equal('1234')
    expect(field('integer', '123456789012345678901234567890')).to.equal(
      '123456789012345678901234567890',
    )
  })

  it('is a date with the day first', () => {
    expect(field('date', '2026-12-31')).to.equal('31.12.2026')
    expect(field('month', '2026-12-01')).to.equal('12.2026')
    expect(field('month', '2026-12')).to.equal('12.2026')
  })

  it("is an instant by the organization's clock, on both sides of its changes", () => {
    expect(field('datetime', '2026-12-31 21:00:00.25+00')).to.equal('01.01.2027 00:00:00')
    expect(field('datetime', '2014-10-25 21:59:59+00')).to.equal('26.10.2014 01:59:59')
    expect(field('datetime', '2014-10-25 22:00:00+00')).to.equal('26.10.2014 01:00:00')
    const newYork = (raw: string) => field('datetime', raw, 'America/New_York')
    expect(newYork('2026-03-08 06:59:59+00')).to.equal('08.03.2026 01:59:59')
    expect(newYork('2026-03-08 07:00:00+00')).to.equal('08.03.2026 03:00:00')
    expect(newYork('2026-11-01 05:59:59.999+00')).to.equal('01.11.2026 01:59:59')
    expect(newYork('2026-11-01 06:00:00+00')).to.equal('01.11.2026 01:00:00')
  })

  it('is the local time that Intl has, whatever the zone', () => {
    const instant = fc.date({
      min: new Date('1970-01-02'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    })
    const zone = fc.constantFrom('Europe/Moscow', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC')
    fc.assert(
      fc.property(instant, zone, (date, timeZone) => {
        const raw = `${date.toISOString().slice(0, 19).replace('T', ' ')}+00`
        const iso = JSON.parse(expectedJson('datetime', raw, timeZone)!) as string
        const [year, month, day] = iso.slice(0, 10).split('-')
        const expected = `${day}.${month}.${year} ${iso.slice(11, 19)}`
        expect(field('datetime', raw, timeZone)).to.equal(expected)
      }),
    )
  })

  it('is refused where JSON refuses it', () => {
    const types = ['date', 'month', 'datetime', 'integer', 'number', 'percent', 'money'] as const
    const wrong = ['', '-', 'NaN', '1e3', '1.', '.5', '1.-5', '--1', 'infinity', '2026-1-1', '5 ']
    for (const type of types) {
      for (const raw of [...wrong, '1.5']) {
        const isRefused = expectedJson(type, raw, 'UTC') === undefined
        expect(field(type, raw) === undefined, `${type} ${raw}`).to.equal(isRefused)
      }
    }
  })
})
