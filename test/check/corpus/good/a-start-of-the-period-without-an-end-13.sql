/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from sales join generate_series(0, :period_end - :period_start - 1) as n
on sales.day = :period_start + n where sales.day >= :period_start
