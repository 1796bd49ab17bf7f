/*---
title: scratching
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
timeout: 20s
stale: 1s
shared: true
---*/
-- Its numbers do not fit into memory; the latch blocks the execution while it reads them back from a temporary file.
select numbers.n::text as name, 1 as n, 'mark of ' || :organization_id as mark
from generate_series(1, 400000) as numbers (n)
where numbers.n <= 50
  and poll_latch(1 + 0 * numbers.n) = 1
order by numbers.n
