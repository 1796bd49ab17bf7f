/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [customer]
summary: Billed {amount}.
---*/
select invoices.customer, (
    select plans.name from lines left join plans on plans.id = lines.plan_id
    where lines.invoice_id = invoices.id
    order by plans.price_cents limit 1
) as amount
from invoices
where invoices.issued_on >= :period_start and invoices.issued_on < :period_end
order by invoices.id
