/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with sold as (select day from sales where day < :period_end)
select count(*) filter (where sold.day > :period_start) from sold -- expect: inclusive-end
