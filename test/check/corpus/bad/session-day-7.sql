/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with x as (select * from sales where sold_at < :now) -- expect: star
select x.sold_at::date from x -- expect: session-day
