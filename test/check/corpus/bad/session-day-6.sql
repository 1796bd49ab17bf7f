/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with moments as (select sold_at as moment from sales where sold_at < :period_end_at)
select moments.moment::date from moments -- expect: session-day
