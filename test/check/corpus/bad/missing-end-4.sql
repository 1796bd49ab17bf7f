/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with sold as (select shop_id, sum(amount) as amount from sales
where day >= :period_start group by shop_id), -- expect: missing-end
back as (select shop_id, sum(amount) as amount from returns
where day >= :period_start and day < :period_end group by shop_id)
select 1 from sold join back on back.shop_id = sold.shop_id
