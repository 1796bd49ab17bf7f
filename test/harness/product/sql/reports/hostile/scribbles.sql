/*---
title: scribbles
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
timeout: 5s
shared: true
---*/
select 'a' as name, scribble(:organization_id) as n, 'mark of ' || :organization_id as mark
order by name
