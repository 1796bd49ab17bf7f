/*---
title: Оборачиваемость товаров
description: На сколько дней хватит запаса и какие товары лежат без движения. Запас усреднён по дням периода, прошедшим к сегодняшнему.
dateBasis: movement
keywords: [запасы, неликвид, залежалые, хватит, остаток, остатки, inventory, dead stock, slow, days of stock, products, goods, stock_turnover_days]
position: 4
columns:
  product:         { title: Товар, type: text }
  sku:             { title: Артикул, type: text, total: none }
  average_stock:   { title: Средний запас, type: money, total: sum(average_stock), aggregation: { rows: sum } }
  cost_of_sales:   { title: Себестоимость продаж, type: money, total: sum(cost_of_sales), aggregation: { rows: sum, periods: sum } }
  turnover_days:   { title: Дней запаса, type: number, total: "round(1.00000000000000000000 * max(all_kopeck_days) / nullif(greatest(sum(cost_of_sales), 0), 0), 1)", unit: day }
  closing:         { title: На конец, type: number, total: none }
  value:           { title: Стоимость на конец, type: money, total: sum(value), aggregation: { rows: sum } } # a future period has no rows
  last_sale:       { title: Последняя продажа, type: date, total: none }
  idle_days:       { title: Дней без продаж, type: integer, total: none, unit: day }
  state:           { title: Состояние, type: text, total: none }
  product_id:      { title: Номер товара, type: text, total: none }
  all_kopeck_days: { title: Запас за все дни по всем товарам, type: number, hidden: true }
key: [product_id]
chart: { kind: bars, measures: [value], label: product }
facts:
  dead:       { type: integer, total: count(*) filter (where state = 'Неликвид') }
  dead_value: { type: money, total: "coalesce(sum(value) filter (where state = 'Неликвид'), 0)" }
summary: >-
  На {as_of} запас товаров — {value}{turnover_days_sign, select,
  positive {, за {period} он оборачивался в среднем за {turnover_days, plural,
  one {# день} few {# дня} many {# дней} other {# дня}}}
  other {}}{dead, plural,
  =0 {, неликвида нет}
  one {, неликвид — # товар на {dead_value}}
  few {, неликвид — # товара на {dead_value}}
  many {, неликвид — # товаров на {dead_value}}
  other {, неликвид — # товара на {dead_value}}}.
emptySummary: За {period} оборота товаров не было.
parameters:
  warehouse:
    title: Склад
    type: integer
    values: { sql: "select id as value, name as label from warehouses order by name collate \"C\", id" }
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 10s
maxRows: 200000
# why: all movements are summed, and an organization with most of the table's rows gets a sequential scan
budget: { buffersPerThousandRows: 35, seqScan: 64MiB }
---*/
-- Tuned 2026-11-22, over this year: 1.0 ms and 36 buffers for the median demo organization, 25 ms and 3,125 for
-- the large one, with stock_movements_by_place and products_named; without: 1.8 ms and 1,549, 25 ms and 3,171.
-- The large one owns half of the table's rows, and the planner reads the whole table in two processes.
-- A kopeck-day is a kopeck of stock for one day. A receipt counts from its day to the end of as_of.
-- why: looking up a movement's day among the period's midnights takes a fifth of the time of a time zone conversion
with midnights as (
    select array(
        select
            case
                when next_day.at at time zone :time_zone = days.day then next_day.at
                else days.day at time zone :time_zone
            end
        from generate_series(:period_start::timestamp, (:as_of + 1)::timestamp, interval '1 day') as days (day)
        -- why: of a midnight that comes twice, a day begins at the first: 24 hours after the midnight before
        cross join lateral (
            select (days.day - interval '1 day') at time zone :time_zone + interval '24 hours' as at
        ) as next_day
    ) as instants
),
movements as (
    select
        stock_movements.product_id,
        stock_movements.kind,
        stock_movements.quantity,
        stock_movements.cost_kopecks,
        stock_movements.moved_at,
        stock_movements.moved_at >= :period_start_at as in_period,
        :as_of - :period_start + 2 - width_bucket(stock_movements.moved_at, (select midnights.instants from midnights)) as days
    from stock_movements
    where stock_movements.moved_at < :period_end_at
      and (:warehouse::bigint is null or stock_movements.warehouse_id = :warehouse)
),
by_product as (
    select
        movements.product_id,
        -- why: movements before the period are summed apart, because their local days are not needed. The others are
        -- summed in two parts, because kopecks times days may overflow bigint and numeric is slower; the upper part
        -- is 0 below 167,772.16 roubles, and then needs no day
        coalesce(sum(movements.cost_kopecks) filter (where not movements.in_period), 0) * (:as_of + 1 - :period_start)
            + coalesce(
                sum((movements.cost_kopecks / 16777216) * movements.days) filter (
                    where movements.in_period
                      and movements.cost_kopecks / 16777216 <> 0
                ),
                0
            ) * 16777216
            + coalesce(sum((movements.cost_kopecks % 16777216) * movements.days) filter (where movements.in_period), 0)
            as kopeck_days,
        coalesce(
            -sum(movements.cost_kopecks) filter (
                where movements.in_period
                  and movements.kind in ('sale', 'customer_return')
            ),
            0
        ) as cost_of_sales,
        sum(movements.quantity) as closing,
        sum(movements.cost_kopecks) as value,
        (max(movements.moved_at) filter (where movements.kind = 'sale') at time zone :time_zone)::date as last_sale
    from movements
    group by movements.product_id
),
figures as (
    select
        products.id,
        products.name,
        products.sku,
        round(1.00000000000000000000 * by_product.kopeck_days / nullif(:as_of + 1 - :period_start, 0)) as average_stock,
        by_product.cost_of_sales,
        round(1.00000000000000000000 * by_product.kopeck_days / nullif(greatest(by_product.cost_of_sales, 0), 0), 1) as turnover_days,
        by_product.closing,
        by_product.value,
        by_product.last_sale,
        -- Over all goods, including those without a row, as in the metric stock_turnover_days.
        sum(by_product.kopeck_days) over () as all_kopeck_days
    from by_product
    join products
        on products.id = by_product.product_id
        and products.kind = 'goods'
    -- A future period has no days and no kopeck-days.
    where :as_of >= :period_start
)
select
    figures.name as product,
    figures.sku,
    figures.average_stock,
    figures.cost_of_sales,
    figures.turnover_days,
    figures.closing,
    figures.value,
    figures.last_sale,
    :as_of - figures.last_sale as idle_days,
    case
        when figures.closing <= 0 then 'Нет остатка'
        when figures.last_sale is null or figures.last_sale <= :as_of - 90 then 'Неликвид'
        when figures.turnover_days is null or figures.turnover_days > 90 then 'Медленный'
        else 'Ходовой'
    end as state,
    figures.id::text as product_id,
    figures.all_kopeck_days
from figures
where figures.average_stock <> 0
   or figures.cost_of_sales <> 0
   or figures.closing <> 0
   or figures.value <> 0
order by figures.value desc, figures.name collate "C", figures.id
