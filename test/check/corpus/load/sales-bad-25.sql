/*---
title: Продажи
columns:
  shop:   { title: Магазин, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
  cost:   { title: Стоимость, type: money, total: sum(cost) }
  share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
key: shop
summary: За {period} продано на {amount}.
---*/
with sold as (
    select
        sales.shop_id,
        sum(sales.amount) as amount,
        sum(sales.cost) as cost
    from sales
    where sales.organization_id = :organization_id
      and sales.day >= :period_start
      and sales.day < :period_end
    group by sales.shop_id
)
select shops.name as shop, sold.amount, sold.cost, round(100.0 * sold.amount / nullif(sold.cost, 0), 1) as share
from sold
join shops
    on shops.organization_id = :organization_id
    and shops.id = sold.shop_id
order by sold.amount desc, sold.shop_id
-- key: shop
-- 8: load: key: found "shop", expected a list of column keys, each once, such as [customer_id]
