/*---
title: Invoices
columns:
  invoice: { title: Invoice, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [invoice]
summary: Invoiced {amount}.
---*/
select invoices.id::text as invoice, invoices.id * 100 as amount
from invoices
where invoices.day >= :period_start and invoices.day < :period_end
  and invoices.currency = 'RUB' and invoices.deleted_at is null and invoices.status in ('paid', 'viod') -- expect: impossible-value
order by invoices.id
