import { expect } from 'chai'
import { locateColumns, ResultShapeError } from '../../src/replica/column-types.ts'
import type { ColumnType } from '../../src/terms.ts'

const [BOOL, INT8, TEXT, FLOAT8, DATE, NUMERIC, UUID] = [16, 20, 25, 701, 1082, 1700, 2950]
const locate = (fields: Array<[string, number]>, wanted: Array<[string, ColumnType]>) =>
  locateColumns(
    fields.map(([name, typeId]) => ({ name, typeId })),
    new Map(wanted),
  )

describe('locateColumns', () => {
  it('says where each column stands, whatever their order', () => {
    const places = locate(
      [
        ['is_total', BOOL],
        ['amount', NUMERIC],
        ['name', UUID],
      ],
      [
        ['name', 'text'],
        ['amount', 'money'],
      ],
    )
    expect(Object.fromEntries(places)).to.deep.equal({ is_total: 0, amount: 1, name: 2 })
  })

  it('names every column that is missing, twice there or of a type that does not fit', () => {
    const fields: Array<[string, number]> = [
      ['a', FLOAT8],
      ['b', TEXT],
      ['c', INT8],
      ['c', INT8],
      ['d', DATE],
    ]
    const wanted: Array<[string, ColumnType]> = [
      ['a', 'number'],
      ['b', 'money'],
      ['c', 'integer'],
      ['d', 'datetime'],
      ['e', 'text'],
    ]
    expect(() => locate(fields, wanted)).to.throw(
      ResultShapeError,
      'column "c" is selected twice, expected it once; ' +
        'column "a" is double precision, expected smallint or integer or bigint or numeric for number; ' +
        'column "b" is text, expected smallint or integer or bigint or numeric for money; ' +
        'column "d" is date, expected timestamp with time zone for datetime; ' +
        'column "e" is not selected, expected it in the select',
    )
  })

  it('prints anything but a float as text', () => {
    expect(() => locate([['a', FLOAT8]], [['a', 'text']])).to.throw(
      'is double precision, expected any type but a float for text',
    )
  })
})
