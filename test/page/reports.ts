// Definitions for the tests of the page.

/** Texts that a careless page would execute, or draw over others. */
export const HOSTILE = [
  '<img src=x onerror="document.title=1">',
  '</script><script>alert(1)</script>',
  '\u202Eabc\u202Edef',
  'javascript:alert(1)',
  'я'.repeat(10_000),
]

/** @param text a YAML text in single quotes */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** `SQL_DIR` files by path, for `shopsFolder`. */
export const EXPLORED = {
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
  'reports/sales/turnover.sql': `/*---
title: Счёт по месяцам
description: Строка — месяц.
keywords: [выручка, долг]
dateBasis: payment
columns:
  label: { title: Период, type: text }
  month: { title: Месяц, type: month, total: none }
  income: { title: Доход, type: money, total: sum(income), aggregation: { rows: sum } }
  profit: { title: Прибыль, type: money, total: sum(profit), aggregation: { rows: sum } }
key: [month]
summary: За {period} доход {income}.
shared: true
---*/
select
    'Месяц ' || number as label,
    to_char(:period_start + make_interval(months => number - 1), 'YYYY-MM') as month,
    number * 123456700::bigint as income,
    (number - 2) * 100000::bigint as profit
from generate_series(1, 3) as number
order by month
`,
  'reports/sales/receivables.sql': `/*---
title: Должники
columns:
  counterparty: { title: Контрагент, type: text }
  inn: { title: ИНН, type: text, total: none }
  debt: { title: Долг, type: money, total: sum(debt), aggregation: { rows: sum } }
key: [counterparty]
summary: За {period} {debt}.
shared: true
---*/
select counterparty, inn, debt::bigint
from (values ('ООО «Ель»', '7700000001', 30000), ('ООО «Сосна»', null, 10000)) as debtors (counterparty, inn, debt)
order by counterparty
`,
  'reports/sales/debts.sql': `/*---
title: Документы
columns:
  number: { title: Номер, type: text }
  inn: { title: ИНН, type: text, total: none }
  debt: { title: Долг, type: money, total: sum(debt), aggregation: { rows: sum } }
key: [number]
summary: За {period} {debt}.
shared: true
---*/
select number, inn, debt::bigint
from (values ('А-1', '7700000001', 10000), ('А-2', '7700000001', 20000), ('Б-1', null, 10000)) as documents (number, inn, debt)
order by number
`,
  'reports/sales/many.sql': `/*---
title: Много строк
columns:
  name: { title: Имя, type: text }
  value: { title: Значение, type: money, total: sum(value), aggregation: { rows: sum } }
key: [name]
summary: За {period} {row_count} строк.
shared: true
---*/
select to_char(number, 'fm00000') as name, number * 100::bigint as value
from generate_series(1, 10000) as number
order by name
`,
  'reports/sales/large.sql': `/*---
title: Большой файл
columns:
  name: { title: Имя, type: text }
  text: { title: Текст, type: text, total: none }
key: [name]
maxRows: 100000
summary: За {period} {row_count} строк.
shared: true
---*/
select to_char(number, 'fm00000') as name, repeat('x', 1000) as text
from generate_series(1, 60000) as number
order by name
`,
  'reports/sales/quarters.sql': `/*---
title: Покупатели
columns:
  name: { title: Имя, type: text }
  value: { title: Сумма, type: money, total: sum(value), aggregation: { rows: sum } }
  part: { title: Доля, type: percent, total: none }
key: [name]
summary: За {period} {value}.
shared: true
---*/
select name, value::bigint, part::numeric
from (values
  (2025, 'Общий', 2025, 50.0), (2025, 'Старый', 1000, 50.0),
  (2026, 'Новый', 3000, 50.0), (2026, 'Общий', 2026, -1.5)) as bought (year, name, value, part)
where :organization_id > 0 and year = extract(year from :period_start)
order by name
`,
}
