/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with flows as (select date_trunc('month', day::timestamp) as month, amount from sales
where day >= :period_start), -- expect: missing-end
months as (select generate_series(:period_start::timestamp,
greatest(:as_of::timestamp, (select max(flows.month) from flows)), '1 month') as month)
select months.month, sum(flows.amount) from months
left join flows on flows.month = months.month group by 1
