/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from sales where date_trunc('month', day) = date_trunc('month', :period_start::timestamp) -- expect: whole-year
