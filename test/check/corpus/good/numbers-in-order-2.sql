/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [customer]
summary: Billed {amount}.
---*/
select invoices.customer, sum(invoices.total_cents) as amount
from invoices
where invoices.issued_on >= :period_start and invoices.issued_on < :period_end
  and invoices.seats >= '5'
group by invoices.customer
order by invoices.customer collate "C"
