/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
  plan_count: { title: Count, type: integer, total: none }
key: [customer]
summary: Billed {amount}.
---*/
select l.customer, sum(l.total_cents) as amount,
    count(l.plan_id) as plan_count -- expect: plain-count
from lines as l
where l.issued_on >= :period_start and l.issued_on < :period_end
group by l.customer
order by l.customer collate "C"
