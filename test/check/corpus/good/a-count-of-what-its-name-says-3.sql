/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
  invoice_count: { title: Count, type: integer, total: none }
key: [customer]
summary: Billed {amount}.
---*/
select invoices.customer, sum(invoices.total_cents) as amount,
    count(invoices.id) as invoice_count
from invoices
where invoices.issued_on >= :period_start and invoices.issued_on < :period_end
group by invoices.customer
order by invoices.customer collate "C"
