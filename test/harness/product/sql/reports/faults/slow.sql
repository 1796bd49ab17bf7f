/*---
title: slow
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
timeout: 1s
shared: true
---*/
select 'a' as name, 1 as n, 'mark of ' || :organization_id as mark, wait_seconds(30)::text as slept
order by name
