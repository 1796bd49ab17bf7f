/*---
title: workbook
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
  day: { title: День, type: date, total: none }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: За {period} {n}.
maxRows: 1000000
timeout: 20s
shared: true
---*/
select numbers.n::text as name, 1 as n, 'mark of ' || :organization_id as mark, date '2026-01-01' + numbers.n % 365 as day, numbers.n as amount
from generate_series(1, 200000) as numbers (n)
order by numbers.n
