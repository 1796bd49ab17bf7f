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
where invoices.issued_on >= :period_start and invoices.issued_on < (:period_end + 7) -- expect: moved-end
group by invoices.customer
order by invoices.customer collate "C"
