/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
  distinct_countries: { title: Count, type: integer, total: none }
key: [customer]
summary: Billed {amount}.
---*/
select i.customer, sum(i.total_cents) as amount,
    count(i.country) as distinct_countries -- expect: plain-count
from invoices as i
where i.issued_on >= :period_start and i.issued_on < :period_end
group by i.customer
order by i.customer collate "C"
