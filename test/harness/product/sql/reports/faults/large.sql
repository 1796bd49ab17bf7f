/*---
title: large
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
  text: { title: Текст, type: text, total: none }
key: [name]
summary: За {period} {n}.
maxRows: 1000000
timeout: 20s
shared: true
---*/
select numbers.n::text as name, 1 as n, 'mark of ' || :organization_id as mark, repeat('x', 100) as text
from generate_series(1, 150000) as numbers (n)
order by numbers.n
