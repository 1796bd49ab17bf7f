/*---
title: Invoices
columns:
  invoice: { title: Invoice, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [invoice]
summary: Invoiced {amount}.
---*/
select invoices.status as invoice, sum(invoices.id * 100) as amount
from invoices -- expect: mixed-currencies
where invoices.day >= :period_start and invoices.day < :period_end and invoices.deleted_at is null
group by invoices.status
order by invoices.status collate "C"
