/*---
metrics:
  sales: { title: Sales, format: integer }
  paid: { title: Paid, format: percent }
---*/
select count(*) as sales,
  100 - coalesce(round(100.0 * count(*) filter (where sales.status = 'void') / nullif(count(*), 0), 1), 0) as paid -- expect: no-rows
from sales
where sales.day >= :period_start and sales.day < :period_end
