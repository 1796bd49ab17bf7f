/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [customer]
summary: Billed {amount}.
---*/
select subscriptions.plan as customer, count(*) as amount
from subscriptions
where subscriptions.started_at < :period_end_at
  and (subscriptions.ended_at is null or subscriptions.ended_at >= :period_start_at)
group by subscriptions.plan
order by subscriptions.plan collate "C"
