/*---
metrics:
  sold: { title: Sold, format: money }
  per_customer: { title: Each customer, format: number }
---*/
select coalesce(sum(sales.amount), 0) as sold, -- expect: execution
  coalesce(sum(sales.amount), 0) / (select count(*) from customers)::numeric as per_customer
from sales
where sales.day >= :period_start and sales.day < :period_end
