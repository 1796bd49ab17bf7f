/*---
title: others
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
fresh: { open: 300ms, closed: 300ms }
timeout: 5s
---*/
select others.id::text as name, 1 as n, 'mark of ' || :organization_id as mark
from others
where others.organization_id = :organization_id
order by others.id
