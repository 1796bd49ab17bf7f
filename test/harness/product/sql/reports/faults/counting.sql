/*---
title: counting
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
timeout: 20s
shared: true
---*/
-- Keeps a core busy for a few tens of milliseconds.
select 'a' as name, 1 as n, 'mark of ' || :organization_id as mark, (
    select count(*) from generate_series(1, 200) as a cross join generate_series(1, 2000) as b
) as counted
order by name
