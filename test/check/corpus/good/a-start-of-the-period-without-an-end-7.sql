/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from sales where day >= :period_start and day < least(:period_end, :as_of + 1)
