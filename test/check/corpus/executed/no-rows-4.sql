/*---
metrics:
  sold: { title: Sold, format: money }
  everywhere: { title: Sold in every shop, format: money }
---*/
select coalesce(sum(sales.amount), 0) as sold,
  sold_everywhere() as everywhere -- expect: no-rows
from sales
where sales.day >= :period_start and sales.day < :period_end
