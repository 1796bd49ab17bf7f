/*---
metrics:
  sold: { title: Sold, format: money }
  best: { title: Best sale, format: money }
---*/
select totals.sold, best.amount as best -- expect: one-row
from (
  select coalesce(sum(sales.amount), 0) as sold
  from sales
  where sales.day >= :period_start and sales.day < :period_end
) as totals
cross join (select sales.amount from sales order by sales.amount desc, sales.id fetch first row only) as best
