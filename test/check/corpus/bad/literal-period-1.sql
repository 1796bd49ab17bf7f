/*---
title: A
columns:
  x: { title: x, type: date, total: "count(*) filter (where day > '2026-03-01')" } # expect: literal-period
key: [x]
summary: "{row_count}"
---*/
select day as x, sold_at, paid_on from sales where day >= :period_start and day < :period_end
