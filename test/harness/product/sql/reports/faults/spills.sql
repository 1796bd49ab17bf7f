/*---
title: spills
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
timeout: 20s
shared: true
---*/
select 'a' as name, 1 as n, 'mark of ' || :organization_id as mark, (
    select count(*) from (select md5(numbers.n::text) as word from generate_series(1, 400000) as numbers (n) order by word offset 0) as sorted
) as counted
order by name
