/*---
title: medium
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
fresh: { open: 300ms, closed: 300ms }
maxRows: 100000
timeout: 20s
shared: true
---*/
select numbers.n::text as name, 1 as n, 'mark of ' || :organization_id as mark
from generate_series(1, 3000) as numbers (n)
order by numbers.n
