/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from sales where date_part('year', day) = date_part('year', :period_end - 1) -- expect: whole-year
