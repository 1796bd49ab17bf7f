import { expect } from 'chai'
import { locateColumns, ResultColumnsError } from '../../src/serve/replica/column-types.ts'
import type { ColumnType } from '../../src/model/terms.ts'

const TYPES = { bool: 16, int8: 20, text: 25, float8: 701, date: 1082, numeric: 1700, uuid: 2950 }

/** @param fields such as `amount numeric, name uuid` */
function locate(fields: string, wanted: Readonly<Record<string, ColumnType>>) {
  const found = fields.split(', ').map(field => {
    const [name = '', type] = field.split(' ')
    return { name, typeId: TYPES[type as keyof typeof TYPES] }
  })
  return Object.fromEntries(locateColumns(found, new Map(Object.entries(wanted))))
}

describe('locateColumns', () => {
  it('returns the position of each column, in any order', () => {
    const places = locate('is_total bool, amount numeric, name uuid', {
      name: 'text',
      amount: 'money',
    })
    expect(places).to.deep.equal({ is_total: 0, amount: 1, name: 2 })
  })

  it('names every column that is missing, duplicated or of a wrong type', () => {
    const wanted = {
      a: 'number',
      b: 'money',
      c: 'integer',
      d: 'datetime',
      e: 'text',
      f: 'text',
    } as const
    expect(() => locate('a float8, b text, c int8, c int8, d date, f float8', wanted)).to.throw(
      ResultColumnsError,
      'column "c" is selected twice, expected it once; ' +
        'column "a" is double precision, expected smallint or integer or bigint or numeric for number; ' +
        'column "b" is text, expected smallint or integer or bigint or numeric for money; ' +
        'column "d" is date, expected timestamp with time zone for datetime; ' +
        'column "e" is not selected, expected it in the select; ' +
        'column "f" is double precision, expected any type but a float for text',
    )
  })
})
