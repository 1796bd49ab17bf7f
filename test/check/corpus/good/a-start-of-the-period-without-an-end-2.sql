/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with sold as (select date_trunc('month', day) as month, amount from sales where day >= :period_start)
select month from sold where month < :period_end
