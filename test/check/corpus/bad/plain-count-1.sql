/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
  customers: { title: Count, type: integer, total: none }
key: [customer]
summary: Billed {amount}.
---*/
select invoices.customer, sum(invoices.total_cents) as amount,
    count(invoices.customer_id) as customers -- expect: plain-count
from invoices
where invoices.issued_on >= :period_start and invoices.issued_on < :period_end
group by invoices.customer
order by invoices.customer collate "C"
