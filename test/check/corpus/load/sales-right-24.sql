/*---
title: Продажи
columns:
  shop:   { title: Магазин, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
  cost:   { title: Стоимость, type: money, total: sum(cost) }
  share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
key: [shop]
summary: За {period} продано на {amount}.
---*/
(select 'a' as shop, :period_start as amount, 1 as cost, 1.0 as share from sales where sales.organization_id = :organization_id)
union all
(select 'b', 2, 1, 1.0 from sales where sales.organization_id = :organization_id) ORDER BY 1
-- a union that is ordered as a whole
