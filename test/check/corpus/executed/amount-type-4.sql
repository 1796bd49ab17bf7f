/*---
title: Invoices
columns:
  invoice: { title: Invoice, type: text }
  amount: { title: Amount, type: money, unit: major, total: sum(amount) }
key: [invoice]
summary: Invoiced {amount}.
---*/
select invoices.id::text as invoice, 100 * invoices.total as amount -- expect: amount-type
from invoices
where invoices.day >= :period_start and invoices.day < :period_end
  and invoices.currency = 'RUB' and invoices.deleted_at is null and invoices.status <> 'void'
order by invoices.id
