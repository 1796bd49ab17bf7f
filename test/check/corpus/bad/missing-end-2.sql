/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from sales where not (day < :period_start) -- expect: missing-end
