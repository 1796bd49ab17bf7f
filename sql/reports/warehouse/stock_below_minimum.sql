/*---
title: Товары ниже минимального остатка
description: Что пора заказать, сколько и у какого поставщика. Учтён остаток на всех складах вместе.
dateBasis: state
keywords: [дефицит, закупка, закупить, заказать, заказ, купить, поставщик, кончается, заканчивается, минимальный, остаток, остатки, нехватка, reorder, order, purchase, buy, shortage, inventory, suppliers, goods, products]
position: 1
columns:
  product:     { title: Товар, type: text }
  sku:         { title: Артикул, type: text, total: none }
  supplier:    { title: Поставщик, type: text, total: none }
  unit:        { title: Ед., type: text, total: none }
  stock:       { title: Остаток, type: number, total: none, unit: unit }
  minimum:     { title: Минимум, type: number, total: none, unit: unit }
  shortage:    { title: Не хватает, type: number, total: none, unit: unit }
  daily_sales: { title: Продажи в день, type: number, total: none, unit: unit }
  price:       { title: Цена закупки, type: money, total: none }
  amount:      { title: Сумма закупки, type: money, total: sum(amount), aggregation: { rows: sum, periods: last } }
  product_id:  { title: Номер товара, type: text, total: none }
key: [product_id]
chart: { kind: bars, measures: [amount], label: product }
facts:
  without_price: { type: integer, total: count(*) filter (where price is null) }
summary: >-
  На {as_of} ниже минимального остатка
  {row_count, plural, one {# товар} few {# товара} many {# товаров} other {# товара}},
  на пополнение нужно {amount}{without_price, plural,
  =0 {} one {, цена # товара неизвестна} other {, цены # товаров неизвестны}}.
emptySummary: На {as_of} товаров ниже минимального остатка нет.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 10s
maxRows: 200000
# why: all movements are summed, and an organization with most of the table's rows gets a sequential scan
budget: { buffersPerThousandRows: 70, seqScan: 64MiB }
---*/
-- Tuned 2026-11-21, over this year: 1.1 ms and 72 buffers for the median demo organization, 31 ms and 3,589 for the
-- large one, with stock_movements_by_moment, stock_movements_by_place, counterparties_named and products_named;
-- without: 3.1 ms and 1,614, 33 ms and 3,741. The large one owns half of the table's rows, and the planner reads
-- the whole table in two processes.
-- The state at the period's end; its start does not matter.
-- why: of a midnight that comes twice, a day begins at the first: 24 hours after the midnight before
with recent as (
    select
        case
            when next_day.at at time zone :time_zone = :as_of - 29 then next_day.at
            else (:as_of - 29)::timestamp at time zone :time_zone
        end as starts_at
    from (select (:as_of - 30)::timestamp at time zone :time_zone + interval '24 hours' as at) as next_day
),
movements as (
    select
        stock_movements.product_id,
        stock_movements.kind,
        stock_movements.moved_at,
        stock_movements.quantity,
        stock_movements.moved_at >= (select recent.starts_at from recent) as is_recent
    from stock_movements
    where stock_movements.moved_at < :period_end_at
),
by_product as (
    select
        movements.product_id,
        sum(movements.quantity) as stock,
        -sum(movements.quantity) filter (where movements.is_recent and movements.kind in ('sale', 'customer_return')) as sold,
        max(movements.moved_at) filter (where movements.kind = 'receipt') as last_receipt_at
    from movements
    group by movements.product_id
),
short as (
    select
        products.id,
        products.name,
        products.sku,
        products.supplier_id,
        products.unit,
        products.purchase_price_kopecks,
        -- why: a quantity has three decimals, even if there are no movements
        coalesce(by_product.stock, 0.000) as stock,
        products.minimum_quantity as minimum,
        products.minimum_quantity - coalesce(by_product.stock, 0) as shortage,
        round(greatest(coalesce(by_product.sold, 0), 0) / 30, 3) as daily_sales,
        by_product.last_receipt_at
    from products
    -- A product that was never received has no movements and a stock of 0.
    left join by_product on by_product.product_id = products.id
    where products.kind = 'goods'
      and products.archived_at is null
      and products.minimum_quantity > coalesce(by_product.stock, 0)
)
select
    short.name as product,
    short.sku,
    counterparties.name as supplier,
    short.unit,
    short.stock,
    short.minimum,
    short.shortage,
    short.daily_sales,
    coalesce(
        round(1.00000000000000000000 * last_receipt.cost_kopecks / last_receipt.quantity),
        short.purchase_price_kopecks
    ) as price,
    coalesce(
        round(1.00000000000000000000 * short.shortage * last_receipt.cost_kopecks / last_receipt.quantity),
        round(short.shortage * short.purchase_price_kopecks)
    ) as amount,
    short.id::text as product_id
from short
left join counterparties on counterparties.id = short.supplier_id
-- why: one look-up for each of the few products below the minimum, at the instant of its last receipt
left join lateral (
    select stock_movements.quantity, stock_movements.cost_kopecks
    from stock_movements
    where stock_movements.product_id = short.id
      and stock_movements.moved_at = short.last_receipt_at
      and stock_movements.kind = 'receipt'
    order by stock_movements.id desc
    limit 1
) as last_receipt on true
order by amount desc nulls last, short.name collate "C", short.id
