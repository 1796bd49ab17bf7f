/*---
title: entries
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
  shown: { title: Записей, type: integer, total: none }
  latest: { title: Последняя, type: integer, total: none }
key: [name]
summary: За {period} {n}.
fresh: { open: 300ms, closed: 300ms }
stale: 10m
timeout: 5s
---*/
select 'a' as name, 1 as n, 'mark of ' || :organization_id as mark, count(*) as shown, coalesce(max(entries.id), 0) as latest
from entries
where entries.organization_id = :organization_id
order by name
