/*---
title: Payments
columns:
  customer: { title: Customer, type: text }
  sold: { title: Sold, type: money, total: sum(sold), aggregation: { rows: sum, periods: sum } }
  paid: { title: Paid, type: money, total: sum(paid), aggregation: { rows: sum, periods: sum } }
  customer_id: { title: Number, type: integer, total: none }
key: [customer_id]
summary: Sold for {sold}, of which {paid} are paid.
---*/
with sold as (
    select sales.customer_id, sum(sales.amount) as amount
    from sales
    where sales.day >= :period_start and sales.day < :period_end
    group by sales.customer_id
),
paid as (
    select sales.customer_id, sum(payments.amount) as amount
    from payments
    join sales on sales.id = payments.sale_id
    where payments.paid_on >= :period_start and payments.paid_on < :period_end and payments.deleted_at is null
    group by sales.customer_id
)
select customers.name as customer, coalesce(sold.amount, 0) as sold, coalesce(paid.amount, 0) as paid, customers.id as customer_id
from customers
left join sold on sold.customer_id = customers.id
left join paid on paid.customer_id = customers.id
where sold.amount is not null or paid.amount is not null
order by customers.name collate "C", customers.id
