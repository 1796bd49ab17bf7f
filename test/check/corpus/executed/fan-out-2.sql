/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  paid: { title: Paid, type: money, total: sum(paid) }
  pieces: { title: Pieces, type: integer, total: sum(pieces) }
key: [sale]
summary: Sold {pieces} for {paid}.
---*/
select sales.id::text as sale, sum(payments.amount) as paid, sum(lines.pieces) as pieces
from sales
join payments on payments.sale_id = sales.id -- expect: fan-out
join lines on lines.sale_id = sales.id
where sales.day >= :period_start and sales.day < :period_end and payments.deleted_at is null
group by sales.id
order by sales.id
