/*---
title: Sales
columns:
  status: { title: Status, type: text }
  sales: { title: Sales, type: integer, total: sum(sales), aggregation: { rows: sum, periods: sum } }
  pieces: { title: Pieces, type: integer, total: sum(pieces), aggregation: { rows: sum, periods: sum } }
key: [status]
summary: Sold {pieces}.
---*/
select sales.status, count(distinct sales.id) as sales, coalesce(sum(lines.pieces), 0) as pieces
from sales
left join lines on lines.sale_id = sales.id
where sales.day >= :period_start and sales.day < :period_end
group by sales.status
order by sales.status collate "C"
