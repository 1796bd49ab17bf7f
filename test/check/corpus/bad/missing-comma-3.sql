/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [customer]
summary: Billed {amount}.
---*/
select invoices.customer,
    invoices.total_cents
    amount -- expect: missing-comma
from invoices
where invoices.issued_on >= :period_start and invoices.issued_on < :period_end
order by invoices.id
