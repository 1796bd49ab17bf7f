/*---
title: nap
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
timeout: 20s
shared: true
---*/
-- Holds a connection slot for a while, without CPU time on the server.
select 'a' as name, 1 as n, 'mark of ' || :organization_id as mark, wait_seconds(0.02)::text as slept
order by name
