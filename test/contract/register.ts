// A report of any length, for tests of bodies that are too large to be cached.

import { fixture } from '../harness/fixtures.ts'

/**
 * Incompressible text; about 170 bytes of JSON per row.
 * @param columns SQL for the row `n`, which is 0 for the totals
 * @returns the text of a definition
 */
export function registerOf(
  rows: number,
  { units = 'n', amount = 'n' }: { readonly units?: string; readonly amount?: string } = {},
): string {
  return `/*---
title: Реестр
columns:
  name: { title: Имя, type: text }
  units: { title: Штук, type: integer }
  amount: { title: Сумма, type: money }
key: [name]
summary: За {period} {row_count} строк.
maxRows: 1000000
timeout: 20s
shared: true
---*/
select n = 0 as is_total, case n when 0 then ${rows}::bigint end as row_count,
  md5(n::text) || md5('a' || n) || md5('b' || n) || md5('c' || :organization_id || n) as name,
  ${units} as units, ${amount} as amount
from generate_series(0, ${rows}) as n
order by is_total desc, n
limit ${rows} + 1 -- so that an expensive column is evaluated after sorting, row by row
`
}

/** @returns the text of a definition with 9,500 rows, of 7 MB as JSON */
export function longRows(): string {
  const text = fixture('reports/sales/many')
  const long = text.replace(' as name', " || repeat(' улица', 62) as name")
  if (long === text) throw new Error('found no column "name"')
  return long
}
