/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with base as (select shop_id, day, amount from sales),
sold as (select sum(amount) as sold from base where day >= :period_start), -- expect: missing-end
until as (select sum(amount) as until from base where day < :period_end)
select sold.sold, until.until from sold cross join until
