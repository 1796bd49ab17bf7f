/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with dues as (select paid_on as due_at from sales)
select dues.due_at::timestamp from dues where dues.due_at < :today
