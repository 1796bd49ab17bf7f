/*---
title: Продажи
columns:
  shop:   { title: Магазин, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
  cost:   { title: Стоимость, type: money, total: sum(cost) }
  share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
  Shop: { title: А, type: money, total: none }
  pages: { title: В, type: integer, total: none }
  next_day: { title: Б, type: integer, total: none }
  row_count: { title: Г, type: integer, total: none }
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: { title: Д, type: integer, total: none }
key: [shop]
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
select shops.name as shop, sold.amount, sold.cost, 1 as "Shop", 2 as pages, 3 as next_day, 3 as row_count,
4 as xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, round(100.0 * sold.amount / nullif(sold.cost, 0), 1) as share
from sold
join shops
    on shops.organization_id = :organization_id
    and shops.id = sold.shop_id
order by sold.amount desc, sold.shop_id
-- names that PostgreSQL or loaders take for something else
-- 8: load: columns.Shop: bad name "Shop", expected a-z, 0-9 and _, at most 63, no digit first
-- 9: load: columns.pages: loaders take "pages" for paging, expected a name other than next..., pages and _end
-- 10: load: columns.next_day: loaders take "next_day" for paging
-- 11: load: columns.row_count: "row_count" belongs to the totals row, expected another name
-- 12: load: bad name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", expected a-z, 0-9 and _, at most 63
