/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with months as (
select month, (month + interval '1 month')::date as next
from generate_series(:period_start, :period_end - 1, interval '1 month') as m (month)
)
select 1 from months where months.next <= :period_end
