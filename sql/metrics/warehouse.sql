/*---
metrics:
  stock_value:         { title: Стоимость товаров на складах, format: money }
  stock_below_minimum: { title: Товаров ниже минимального остатка, format: integer }
  stock_turnover_days: { title: "Оборачиваемость запаса, дней", format: days }
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
# why: all movements are summed, and an organization with most of the table's rows gets a sequential scan
budget: { buffersPerThousandRows: 35, seqScan: 64MiB }
---*/
-- Tuned 2026-11-21, over this year: 1.5 ms and 36 buffers for the median demo organization, 57 ms and 3,125 for the
-- large one, with stock_movements_by_place and products_named; without: 4.1 ms and 1,549, 46 ms and 3,171.
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
        stock_movements.quantity,
        stock_movements.cost_kopecks,
        stock_movements.kind in ('sale', 'customer_return') as is_sale,
        stock_movements.moved_at >= :period_start_at as in_period,
        :as_of - :period_start + 2 - width_bucket(stock_movements.moved_at, (select midnights.instants from midnights)) as days
    from stock_movements
    where stock_movements.moved_at < :period_end_at
),
by_product as (
    select
        movements.product_id,
        sum(movements.quantity) as quantity,
        sum(movements.cost_kopecks) as value,
        -- why: movements before the period are summed apart, because their local days are not needed. The others are
        -- summed in two parts, because kopecks times days may overflow bigint and numeric is slower
        coalesce(sum(movements.cost_kopecks) filter (where not movements.in_period), 0) * (:as_of + 1 - :period_start)
            + coalesce(sum((movements.cost_kopecks >> 24) * movements.days) filter (where movements.in_period), 0) * 16777216
            + coalesce(sum((movements.cost_kopecks & 16777215) * movements.days) filter (where movements.in_period), 0)
            as kopeck_days,
        -sum(movements.cost_kopecks) filter (where movements.in_period and movements.is_sale) as cost_of_sales
    from movements
    group by movements.product_id
),
-- Services have no stock, although some have movements: only goods count.
stock as (
    select
        coalesce(sum(by_product.value), 0) as value,
        sum(by_product.kopeck_days) as kopeck_days,
        sum(by_product.cost_of_sales) as cost_of_sales,
        count(*) filter (
            where products.archived_at is null
              and coalesce(by_product.quantity, 0) < products.minimum_quantity
        ) as products_below_minimum
    from products
    left join by_product on by_product.product_id = products.id
    where products.kind = 'goods'
)
select
    stock.value as stock_value,
    stock.products_below_minimum as stock_below_minimum,
    case
        -- why: a future period has no days and no kopeck-days
        when :as_of >= :period_start
            then round(1.00000000000000000000 * stock.kopeck_days / nullif(greatest(stock.cost_of_sales, 0), 0), 1)
    end as stock_turnover_days
from stock
