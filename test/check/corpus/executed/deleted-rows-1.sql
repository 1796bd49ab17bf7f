/*---
title: Invoices
columns:
  invoice: { title: Invoice, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [invoice]
summary: Invoiced {amount}.
---*/
select invoices.id::text as invoice, invoices.id * 100 as amount
from invoices -- expect: deleted-rows
where invoices.day >= :period_start and invoices.day < :period_end
order by invoices.id
