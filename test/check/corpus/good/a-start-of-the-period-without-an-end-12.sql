/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select months.month from generate_series(:period_start, :as_of, '1 month') as months (month)
left join sales on sales.day >= :period_start and sales.day < months.month
