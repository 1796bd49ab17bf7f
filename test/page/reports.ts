// Definitions for the tests of the page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixtures } from '../harness/fixtures.ts'
import { SHOPS_SQL_DIR } from '../harness/shops.ts'

/** Of every shop. */
export const NAME = 'ООО «Ёлка»'

/** Texts that a careless page would execute, or draw over others. */
export const HOSTILE = [
  '<img src=x onerror="document.title=1">',
  '</script><script>alert(1)</script>',
  '\u202Eabc\u202Edef',
  'javascript:alert(1)',
  'я'.repeat(10_000),
]

/** More than a column of a phone. */
export const LONG = 'Общество с ограниченной ответственностью «Приволжская торговая компания»'

/** @param text a YAML text in single quotes */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Twenty payments of ten customers, by date. @param chart in the front matter */
const payments = (title: string, basis: string, chart: string): string => `/*---
title: ${title}
dateBasis: ${basis}
columns:
  payment_id: { title: Номер, type: text }
  customer: { title: Покупатель, type: text, total: none }
  purpose: { title: Назначение, type: text, total: none }
  paid_on: { title: Оплачен, type: date, total: none }
  amount: { title: Сумма, type: money, total: sum(amount), aggregation: { rows: sum } }
key: [payment_id]
chart: ${chart}
summary: За {period} {amount}.
shared: true
---*/
select 'P-' || n as payment_id, 'Покупатель ' || n % 10 as customer, 'Счёт' as purpose, date '2026-01-01' + n as paid_on, n * 100::bigint as amount
from generate_series(1, 20) as n
order by n
`

/** `SQL_DIR` files by path, for `shopsFolder`. */
export const EXPLORED = {
  'access/organization_by_key.sql': readFileSync(
    join(SHOPS_SQL_DIR, 'access/organization_by_key.sql'),
    'utf8',
  ).replace(
    'as entitled',
    `as entitled, '${NAME}'::text as organization_name, shop_keys.reports, shop_keys.parameters`,
  ),
  'reports/sales/hostile.sql': `/*---
title: ${quoted(HOSTILE[0]!)}
description: ${quoted(HOSTILE[1]!)}
keywords: [${quoted(HOSTILE[0]!)}]
columns:
  name: { title: ${quoted(HOSTILE[1]!)}, type: text }
  text: { title: ${quoted(HOSTILE[2]!)}, type: text, total: none }
  value: { title: Сумма, type: money, total: sum(value), aggregation: { rows: sum } }
key: [name]
summary: "{value} javascript:alert(1) \u202Eabc"
shared: true
---*/
select name, text, value
from (values ${HOSTILE.map((text, at) => `(${at + 1}, '${text}', '${text}', ${(at - 2) * 12_345_678})`).join(', ')})
  as hostile (number, name, text, value)
order by name
`,
  'reports/sales/selected.sql': `/*---
title: Выбранные
columns:
  name: { title: Имя, type: text }
  value: { title: Сумма, type: money, total: sum(value), aggregation: { rows: sum } }
key: [name]
summary: За {period} {value}.
parameters:
  sort: { title: Вид, type: text, values: { odd: Нечётные, even: Чётные } }
  number: { title: Строка, type: integer, values: { sql: "select n + 9007199254740992 as value, 'Строка ' || (n - 1) % 29 + 1 as label from generate_series(1, 30) as n order by n" } }
  least: { title: От суммы, type: money, default: 0 }
  big: { title: Крупные, type: boolean, values: { true: Больше 25, false: Прочие } }
shared: true
---*/
select 'Строка ' || n as name, n * 100::bigint as value
from generate_series(1, 30) as n
where (:sort::text is null or n % 2 = case :sort when 'odd' then 1 else 0 end)
  and (:number::bigint is null or n + 9007199254740992 = :number)
  and n * 100 >= :least
  and (:big::boolean is null or (n > 25) = :big)
order by n
`,
  'reports/sales/payments.sql': payments(
    'Платежи',
    'payment',
    '{ kind: columns, measures: [amount], label: paid_on }',
  ),
  /** Those of a year have other keys than those of another. */
  'reports/sales/documents.sql': payments(
    'Документы',
    'payment',
    '{ kind: columns, measures: [amount], label: paid_on }',
  )
    .replace("'P-'", "to_char(:period_start, 'YYYY-')")
    .replace("date '2026-01-01'", ':period_start'),
  'reports/sales/payers.sql': payments(
    'Плательщики',
    'state',
    '{ kind: bars, measures: [amount], label: customer }',
  ),
  'reports/sales/due.sql': payments(
    'Платежи по сроку',
    'due',
    '{ kind: bars, measures: [amount], label: customer }',
  ),
  'reports/sales/weights.sql': `/*---
title: Веса
columns:
  name: { title: Название, type: text }
  weight: { title: Вес, type: number, unit: kg, total: none }
  share: { title: Доля, type: percent, total: none }
key: [name]
summary: Всего {row_count}.
shared: true
---*/
select name, weight, share
from (values ('Кофе', 12, 2.5), ('${LONG}', 0.125, 97)) as weights (name, weight, share)
order by name
`,
  ...fixtures(
    'reports/sales/turnover',
    'reports/sales/by_month',
    'reports/sales/receivables',
    'reports/sales/debts',
    'reports/sales/many',
    'reports/sales/large',
    'reports/sales/quarters',
  ),
}
