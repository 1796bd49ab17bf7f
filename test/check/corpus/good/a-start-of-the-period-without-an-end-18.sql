/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select case when day >= :period_start then 1 else 0 end from sales where day <= :as_of
