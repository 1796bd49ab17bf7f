/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [customer]
summary: Billed {amount}.
---*/
select invoices.customer as customer, count(distinct invoices.id) as amount
from invoices
where invoices.organization_id = :organization_id and invoices.kind = 'sale' or invoices.kind = 'refund' -- expect: escaping-or
  and invoices.issued_on >= :period_start and invoices.issued_on < :period_end
group by invoices.customer
order by invoices.customer collate "C"
