/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select t.day_at::date from (select x.id, x.day from sales as x where x.day < :as_of) as t (id, day_at)
