import { expect } from 'chai'
import { FieldError } from '../../../src/formats/format.ts'
import { NoRoomError } from '../../../src/formats/format.ts'
import type { ColumnType } from '../../../src/terms.ts'
import { parquetOf } from './read.ts'

function refusal(type: ColumnType, raw: string): unknown {
  try {
    parquetOf([{}, { [type]: raw }])
    return undefined
  } catch (error) {
    return error
  }
}

describe('what a Parquet file cannot hold', () => {
  it('is refused in the words of JSON where it is not of its type', () => {
    const wrong: Array<[ColumnType, string[]]> = [
      ['integer', ['', '-', '1.5', 'NaN', '1e3', '+1', '1 ', '--1', '12345678901234567890x']],
      ['money', ['12.50', 'NaN']],
      ['number', ['NaN', '', '-', '1.', '.5', '-.5', '1.-5', '1.5.2', 'Infinity', '1.٣']],
      ['percent', ['Infinity']],
      ['date', ['infinity', '2026-02-29', '2026-13-01', '2026-00-01', '2026-01-00', '12026-01-01']],
      ['month', ['март', '2026-13', '2026']],
      [
        'datetime',
        [
          'infinity',
          '2026-03-01 10:00:00',
          '2026-03-01 10:00:00+03',
          '2026-03-01T10:00:00+00',
          '2026-03-01 10:00:00.+00',
          '2026-03-01 24:00:00+00',
          '2026-03-01 10:00:00.1x+00',
          '0044-03-15 10:00:00+00 BC',
        ],
      ],
    ]
    for (const [type, fields] of wrong) {
      for (const raw of fields) {
        expect(refusal(type, raw), `${type} ${raw}`)
          .to.be.instanceOf(FieldError)
          .with.property('message', `${type}_: ${JSON.stringify(raw)} is no ${type}`)
      }
    }
  })

  it('is refused with its row and column where it is, and never cut', () => {
    const large: Array<[ColumnType, string]> = [
      ['integer', '9223372036854775808'],
      ['money', '-9223372036854775809'],
      ['number', '1000000000000'],
      ['number', '-1000000000000.5'],
      ['number', '0.0000001'],
      ['percent', '33.3333333333333333'],
      ['datetime', '2026-03-01 10:00:00.1234567+00'],
    ]
    for (const [type, raw] of large) {
      const error = refusal(type, raw)
      expect(error, `${type} ${raw}`).to.be.instanceOf(NoRoomError)
      expect((error as NoRoomError).message).to.include(
        `Row 2, column ${type}_: ${raw} does not fit`,
      )
    }
  })

  it('is told in the languages of problems', () => {
    const { detail } = refusal('integer', '9223372036854775808') as NoRoomError
    expect(detail).to.deep.equal({
      ru: 'Строка 2, столбец integer_: 9223372036854775808 не помещается в Parquet, в нём целые числа до 64 бит. Возьмите JSON или CSV.',
      en: 'Row 2, column integer_: 9223372036854775808 does not fit into Parquet, which has room for integers of 64 bits. Take JSON or CSV.',
    })
  })
})
