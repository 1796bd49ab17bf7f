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
where (invoices.made_at at time zone :time_zone)::date >= :period_start -- expect: utc-timestamp
  and (invoices.made_at at time zone 'UTC' at time zone :time_zone)::date < :period_end
  and invoices.currency = 'RUB' and invoices.deleted_at is null
order by invoices.id
