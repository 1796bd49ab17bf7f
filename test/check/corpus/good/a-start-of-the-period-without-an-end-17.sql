/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(amount) filter (where day < :period_start) as opening,
sum(amount) filter (where day >= :period_start) as moved from sales where day < :period_end
