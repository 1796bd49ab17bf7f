/*---
title: Invoices
columns:
  invoice: { title: Invoice, type: text }
  amount: { title: Amount, type: money, total: sum(amount) } # expect: prepare
key: [invoice]
summary: Invoiced {amount}.
---*/
select invoices.id::text as invoice, invoices.id * 100 as amounts
from invoices
where invoices.day >= :period_start and invoices.day < :period_end
  and invoices.currency = 'RUB' and invoices.deleted_at is null
order by invoices.id
