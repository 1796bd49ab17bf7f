/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with local as (select sales.*, (sold_at at time zone :time_zone)::date as made_at -- expect: star
from sales where sold_at < :now) select local.made_at::date from local
