/*---
title: Sales
columns:
  local_day: { title: Day, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [local_day]
summary: Sold for {amount}.
---*/
select date_trunc('day', sales.sold_at at time zone 'UTC')::date::text as local_day, sum(sales.amount) as amount -- expect: session-day
from sales
where sales.sold_at >= :period_start_at and sales.sold_at < :period_end_at
group by local_day
order by local_day
