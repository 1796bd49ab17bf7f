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
where invoices.issued_at >= :period_start_at and invoices.issued_at <= :period_end_at + interval '1 hour' -- expect: moved-end
group by invoices.customer
order by invoices.customer collate "C"
