/*---
metrics:
  seats: { title: Seats, format: integer }
  sales: { title: Sales for each, format: number }
---*/
select
  shops.seats,
  round((select count(*) from sales where sales.day >= :period_start and sales.day < :period_end) / shops.seats::numeric, 1) as sales
from shops
