/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(amount) filter (where day < :period_start) as before,
sum(amount) filter (where day >= :period_start) as within from sales -- expect: missing-end
