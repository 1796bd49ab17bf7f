/*---
title: medium
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
parameters:
  part: { title: Часть, type: integer }
fresh: { open: 300ms, closed: 300ms }
maxRows: 100000
timeout: 20s
shared: true
---*/
select numbers.n::text as name, 1 as n, 'mark of ' || coalesce(:organization_id * 100 + :part, :organization_id) as mark
from generate_series(1, 3000) as numbers (n)
order by numbers.n
