/*---
title: Продажи товаров
columns:
  product:          { title: Товар, type: text }
  sku:              { title: Артикул, type: text, total: none }
  unit:             { title: Ед., type: text, total: none }
  sold:             { title: Продано, type: number, total: none }
  revenue:          { title: Выручка, type: money, total: sum(revenue) }
  cost:             { title: Себестоимость, type: money, total: sum(cost) }
  profit:           { title: Валовая прибыль, type: money, total: sum(profit) }
  margin:           { title: Рентабельность, type: percent, total: "round(100.00000000000000000000 * sum(profit) / nullif(greatest(sum(revenue), 0), 0), 1)" }
  share:            { title: Доля, type: percent, total: "round(100.00000000000000000000 * sum(revenue) / nullif(sum(positive_revenue), 0), 1)" }
  abc:              { title: ABC, type: text, total: none }
  xyz:              { title: XYZ, type: text, total: none }
  positive_revenue: { title: Выручка без отрицательной, type: money, hidden: true, total: sum(positive_revenue) }
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
-- Tuned 2026-11-21, over this year: 2.8 ms and 142 buffers for the median demo organization, 67 ms and 530 for the
-- large one, with stock_movements_of_line, sales_by_shipment, sale_lines_by_document and products_named; without:
-- 3.2 ms and 836, 72 ms and 1,848.
-- By the day of shipment: the cost too is that of what was shipped then, whenever its movement was posted.
-- why: a document's month is looked up among the beginnings of the period's months, in a fifth of the time that its
-- time zone takes
with beginnings as (
    select array(
        select months.month at time zone :time_zone
        from generate_series(
            date_trunc('month', :period_start::timestamp),
            greatest(:as_of, :period_start)::timestamp,
            interval '1 month'
        ) as months (month)
    ) as instants
),
documents as (
    select
        sales.id,
        sales.kind,
        width_bucket(sales.shipped_at, (select beginnings.instants from beginnings)) as month_number
    from sales
    where sales.organization_id = :organization_id
      and sales.shipped_at >= :period_start_at
      and sales.shipped_at < :period_end_at
      and sales.status = 'posted'
),
lines as (
    select
        sale_lines.id,
        sale_lines.product_id,
        documents.month_number,
        documents.kind,
        sale_lines.quantity,
        sale_lines.amount_kopecks
    from documents
    join sale_lines
        on sale_lines.organization_id = :organization_id
        and sale_lines.sale_id = documents.id
        -- why: ids grow with time, so that nothing is read of what lies before the documents, as all history does
        and sale_lines.sale_id >= (select min(documents.id) from documents)
),
-- why: a stretch of the index like that of the lines; materialized, so that it is not looked up line by line
moved as materialized (
    select
        stock_movements.sale_line_id,
        stock_movements.cost_kopecks
    from stock_movements
    where stock_movements.organization_id = :organization_id
      and stock_movements.sale_line_id >= (select min(lines.id) from lines)
),
costs as (
    select
        lines.product_id,
        -sum(moved.cost_kopecks) as cost
    from lines
    join moved on moved.sale_line_id = lines.id
    group by lines.product_id
),
-- A return counts the other way.
by_month as (
    select
        lines.product_id,
        date_trunc('month', :period_start::timestamp) + (lines.month_number - 1) * interval '1 month' as month,
        coalesce(sum(lines.quantity) filter (where lines.kind = 'sale'), 0)
            - coalesce(sum(lines.quantity) filter (where lines.kind = 'return'), 0) as quantity,
        coalesce(sum(lines.amount_kopecks) filter (where lines.kind = 'sale'), 0)
            - coalesce(sum(lines.amount_kopecks) filter (where lines.kind = 'return'), 0) as revenue
    from lines
    group by lines.product_id, lines.month_number
),
-- The calendar months that lie in the period and are over, for XYZ: from first_month up to month_after, both first days.
whole_months as (
    select
        bounds.first_month,
        bounds.month_after,
        extract(year from age(bounds.month_after, bounds.first_month)) * 12 + extract(month from age(bounds.month_after, bounds.first_month)) as number
    from (
        select
            date_trunc('month', :period_start::timestamp - interval '1 day') + interval '1 month' as first_month,
            date_trunc('month', :as_of::timestamp + interval '1 day') as month_after
    ) as bounds
),
in_whole_months as (
    select
        by_month.product_id,
        whole_months.number as months,
        sum(by_month.quantity) as quantity,
        sum(by_month.quantity * by_month.quantity) as squares
    from by_month
    join whole_months
        on by_month.month >= whole_months.first_month
        and by_month.month < whole_months.month_after
    group by by_month.product_id, whole_months.number
),
-- Steady, changing or erratic by the square of the coefficient of variation, where a month without sales is a 0:
-- (months * squares - quantity * quantity) / (quantity * quantity), which is at most 0.01 for X and 0.0625 for Y.
-- why: materialized, since the planner, which takes lines for few, would add it up again for each product
steadiness as materialized (
    select
        in_whole_months.product_id,
        case
            when in_whole_months.months * in_whole_months.squares
                <= 1.01 * in_whole_months.quantity * in_whole_months.quantity then 'X'
            when in_whole_months.months * in_whole_months.squares
                <= 1.0625 * in_whole_months.quantity * in_whole_months.quantity then 'Y'
            else 'Z'
        end as xyz
    from in_whole_months
    where in_whole_months.months >= 3
      and in_whole_months.quantity > 0
),
by_product as (
    select
        by_month.product_id,
        sum(by_month.quantity) as sold,
        sum(by_month.revenue) as revenue
    from by_month
    group by by_month.product_id
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
        steadiness.xyz,
        greatest(by_product.revenue, 0) as positive_revenue,
        sum(greatest(by_product.revenue, 0)) over () as all_positive_revenue,
        coalesce(
            sum(by_product.revenue) over (
                order by by_product.revenue desc, products.name collate "C", products.id
                rows between unbounded preceding and 1 preceding
            ),
            0
        ) as revenue_above
    from by_product
    join products
        on products.organization_id = :organization_id
        and products.id = by_product.product_id
    left join costs on costs.product_id = by_product.product_id
    left join steadiness on steadiness.product_id = by_product.product_id
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
    round(100.00000000000000000000 * (figures.revenue - figures.cost) / nullif(figures.positive_revenue, 0), 1) as margin,
    round(100.00000000000000000000 * figures.revenue / nullif(figures.all_positive_revenue, 0), 1) as share,
    case
        when figures.revenue <= 0 then 'C'
        when figures.revenue_above * 100 < 80 * figures.all_positive_revenue then 'A'
        when figures.revenue_above * 100 < 95 * figures.all_positive_revenue then 'B'
        else 'C'
    end as abc,
    figures.xyz,
    figures.positive_revenue
from figures
order by figures.revenue desc, figures.name collate "C", figures.id
