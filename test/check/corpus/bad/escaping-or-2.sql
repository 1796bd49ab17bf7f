/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [customer]
summary: Billed {amount}.
---*/
select customers.name as customer, sum(invoices.total_cents) as amount
from invoices
join customers on customers.id = invoices.customer_id and invoices.issued_on < :period_end or customers.id = 0 -- expect: escaping-or
group by customers.id, customers.name
order by customers.name collate "C", customers.id
