/*---
title: busy
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
timeout: 30s
shared: true
---*/
-- Keeps a core busy and sends nothing meanwhile: the server must check by itself whether the client is connected.
select 'a' as name, 1 as n, 'mark of ' || :organization_id as mark, (
    select count(*) from generate_series(1, 30000) as a cross join generate_series(1, 30000) as b
) as counted
order by name
