/** A report with a column of each type, and rows of it. */
import * as fc from 'fast-check'
import { COLUMN_TYPES, type ColumnType } from '../../src/terms.ts'
import { load } from '../definitions/sql-folder.ts'
import { anyText } from './any-text.ts'

/** One column a type: its name is the type and an underscore. */
export const EVERY_TYPE = load({
  'reports/shop/every.sql': `/*---
title: Все типы
columns:
${COLUMN_TYPES.map(type => `  ${type}_: { title: "Столбец ${type}", type: ${type}${type === 'text' ? '' : ', total: none'} }`).join('\n')}
key: [text_]
summary: За {period} строк {row_count}.
---*/
select ${COLUMN_TYPES.map(type => `${type}_`).join(', ')} from sales
where organization_id = :organization_id order by text_
`,
}).reports.get('every')!

const integer = fc
  .oneof(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: -200, max: 200 }))
  .map(String)
const decimal = fc
  .tuple(integer, fc.option(fc.stringMatching(/^\d{1,30}$/), { nil: '' }))
  .map(([whole, parts]) => (parts === '' ? whole : `${whole}.${parts}`))
const instant = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .chain(date =>
    fc.constantFrom('', '.5', '.123456').map(fraction => {
      const utc = date.toISOString().slice(0, 19).replace('T', ' ')
      return `${utc}${fraction}+00`
    }),
  )
const date = instant.map(utc => utc.slice(0, 10))

const OF_TYPE: Readonly<Record<ColumnType, fc.Arbitrary<Buffer | string>>> = {
  text: anyText,
  date,
  month: date,
  datetime: instant,
  integer,
  number: decimal,
  percent: decimal,
  money: integer,
}

/** Of `EVERY_TYPE`: fields as PostgreSQL prints them, nulls among them. */
export const rowOfEveryType = fc.tuple(...COLUMN_TYPES.map(type => fc.option(OF_TYPE[type])))
