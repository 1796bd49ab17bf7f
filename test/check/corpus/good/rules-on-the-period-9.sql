/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from sales join sales as older on older.id = sales.of and older.day < :period_start
where sales.day >= :period_end
