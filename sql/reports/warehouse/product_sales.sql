/*---
title: Продажи товаров
description: Какие товары и услуги продаются лучше и сколько на них зарабатываем. Учтены проведённые отгрузки за вычетом возвратов.
dateBasis: shipment
keywords: [выручка, маржа, наценка, товарооборот, ассортимент, номенклатура, ABC, XYZ, лучшие, revenue, margin, best sellers, products, goods, items, assortment]
position: 3
columns:
  product:          { title: Товар, type: text }
  sku:              { title: Артикул, type: text, total: none }
  unit:             { title: Ед., type: text, total: none }
  sold:             { title: Продано, type: number, total: none, unit: unit }
  revenue:          { title: Выручка, type: money, total: sum(revenue), aggregation: { rows: sum, periods: sum } }
  cost:             { title: Себестоимость, type: money, total: sum(cost), aggregation: { rows: sum, periods: sum } }
  profit:           { title: Валовая прибыль, type: money, total: sum(profit), aggregation: { rows: sum, periods: sum } }
  margin:           { title: Рентабельность, type: percent, total: "round(100.00000000000000000000 * sum(profit) / nullif(greatest(sum(revenue), 0), 0), 1)" }
  share:            { title: Доля, type: percent, total: case when sum(revenue) > 0 then 100.0 end }
  abc:              { title: ABC, type: text, total: none }
  xyz:              { title: XYZ, type: text, total: none }
  product_id:       { title: Номер товара, type: text, total: none }
key: [product_id]
chart: { kind: bars, measures: [revenue, profit], label: product }
facts:
  products:  { type: integer, total: count(*) filter (where revenue > 0) }
  a_class:   { type: integer, total: count(*) filter (where abc = 'A') }
summary: >-
  За {period} выручка{products, plural,
  =0 {} one { по # товару} other { по # товарам}} составила {revenue},
  {profit_sign, select,
  negative {валовой убыток — {profit_abs}}
  other {валовая прибыль — {profit}{margin_sign, select, none {} other {, рентабельность — {margin}}}}}{a_class, plural,
  =0 {}
  one {, в классе A — # товар}
  few {, в классе A — # товара}
  many {, в классе A — # товаров}
  other {, в классе A — # товара}}.
emptySummary: За {period} продаж не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 30s
maxRows: 200000
budget: { buffersPerThousandRows: 25 }
---*/
-- Tuned 2026-11-22, over this year: 1.3 ms and 142 buffers for the median demo organization, 44 ms and 530 for
-- the large one, with stock_movements_of_line, sales_by_shipment, sale_lines_by_document and products_named;
-- without: 1.9 ms and 836, 53 ms and 1,848.
-- By the day of shipment. The cost belongs to that day too, even if the stock movement has another one.
-- why: looking up a document's month among the period's months takes a fifth of the time of a time zone conversion
with beginnings as (
    select array(
        select
            case
                when next_day.at at time zone :time_zone = months.month then next_day.at
                else months.month at time zone :time_zone
            end
        from generate_series(
            date_trunc('month', :period_start::timestamp),
            greatest(:as_of, :period_start)::timestamp,
            interval '1 month'
        ) as months (month)
        -- why: of a midnight that comes twice, a month begins at the first: 24 hours after the midnight before
        cross join lateral (
            select (months.month - interval '1 day') at time zone :time_zone + interval '24 hours' as at
        ) as next_day
    ) as instants
),
documents as (
    select
        sales.id,
        sales.kind = 'return' as is_return,
        width_bucket(sales.shipped_at, (select beginnings.instants from beginnings)) as month_number
    from sales
    where sales.shipped_at >= :period_start_at
      and sales.shipped_at < :period_end_at
      and sales.status = 'posted'
),
-- Returns are negative.
lines as (
    select
        sale_lines.id,
        sale_lines.product_id,
        documents.month_number,
        case when documents.is_return then -sale_lines.quantity else sale_lines.quantity end as quantity,
        case when documents.is_return then -sale_lines.amount_kopecks else sale_lines.amount_kopecks end as amount
    from documents
    join sale_lines
        on sale_lines.sale_id = documents.id
        -- why: ids grow with time, so this excludes older documents
        and sale_lines.sale_id >= (select min(documents.id) from documents)
),
-- why: one range of the index, as for the lines; materialized, so that there is no look-up for each line
moved as materialized (
    select
        stock_movements.sale_line_id,
        stock_movements.cost_kopecks
    from stock_movements
    where stock_movements.sale_line_id >= (select min(lines.id) from lines)
),
costs as (
    select
        lines.product_id,
        -sum(moved.cost_kopecks) as cost
    from lines
    join moved on moved.sale_line_id = lines.id
    group by lines.product_id
),
by_month as (
    select
        lines.product_id,
        lines.month_number,
        sum(lines.quantity) as quantity,
        sum(lines.amount) as revenue
    from lines
    group by lines.product_id, lines.month_number
),
-- The closed calendar months in the period, for XYZ: the number of the first among the period's months, and the number
-- after the last.
whole_months as (
    select
        bounds.first_number,
        bounds.first_number + bounds.months as number_after,
        bounds.months
    from (
        select
            case when date_trunc('month', :period_start::timestamp) = :period_start then 1 else 2 end as first_number,
            (extract(year from span.length) * 12 + extract(month from span.length))::integer as months
        from (
            select age(
                date_trunc('month', :as_of::timestamp + interval '1 day'),
                date_trunc('month', :period_start::timestamp - interval '1 day') + interval '1 month'
            ) as length
        ) as span
    ) as bounds
),
by_product as (
    select
        by_month.product_id,
        whole_months.months,
        sum(by_month.quantity) as sold,
        sum(by_month.revenue) as revenue,
        sum(by_month.quantity) filter (
            where by_month.month_number >= whole_months.first_number
              and by_month.month_number < whole_months.number_after
        ) as quantity,
        sum(by_month.quantity * by_month.quantity) filter (
            where by_month.month_number >= whole_months.first_number
              and by_month.month_number < whole_months.number_after
        ) as squares
    from by_month
    cross join whole_months
    group by by_month.product_id, whole_months.months
),
figures as (
    select
        products.id,
        products.name,
        products.sku,
        products.unit,
        by_product.sold,
        by_product.revenue,
        coalesce(costs.cost, 0) as cost,
        -- Steady, changing or erratic by the squared coefficient of variation; a month without sales counts as 0:
        -- (months * squares - quantity * quantity) / (quantity * quantity), at most 0.01 for X and 0.0625 for Y.
        case
            when by_product.months < 3 or coalesce(by_product.quantity, 0) <= 0 then null
            when by_product.months * by_product.squares <= 1.01 * by_product.quantity * by_product.quantity then 'X'
            when by_product.months * by_product.squares <= 1.0625 * by_product.quantity * by_product.quantity then 'Y'
            else 'Z'
        end as xyz,
        sum(by_product.revenue) over () as all_revenue,
        coalesce(
            sum(by_product.revenue) over (
                order by by_product.revenue desc, products.name collate "C", products.id
                rows between unbounded preceding and 1 preceding
            ),
            0
        ) as revenue_above
    from by_product
    join products on products.id = by_product.product_id
    left join costs on costs.product_id = by_product.product_id
    where by_product.sold <> 0
       or by_product.revenue <> 0
       or costs.cost <> 0
)
select
    figures.name as product,
    figures.sku,
    figures.unit,
    figures.sold,
    figures.revenue,
    figures.cost,
    figures.revenue - figures.cost as profit,
    round(100.00000000000000000000 * (figures.revenue - figures.cost) / nullif(greatest(figures.revenue, 0), 0), 1) as margin,
    round(100.00000000000000000000 * figures.revenue / nullif(greatest(figures.all_revenue, 0), 0), 1) as share,
    case
        when figures.revenue <= 0 then 'C'
        when figures.revenue_above * 100 < 80 * figures.all_revenue then 'A'
        when figures.revenue_above * 100 < 95 * figures.all_revenue then 'B'
        else 'C'
    end as abc,
    figures.xyz,
    figures.id::text as product_id
from figures
order by figures.revenue desc, figures.name collate "C", figures.id
