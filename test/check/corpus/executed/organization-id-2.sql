/*---
metrics:
  sold: { title: Sold, format: money }
  customers: { title: Customers, format: integer }
---*/
select coalesce(sum(sales.amount), 0) as sold,
  customers_of(:organization_id)::bigint as customers -- expect: no-rows, organization-id
from sales
where sales.day >= :period_start and sales.day < :period_end
