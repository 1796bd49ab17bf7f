/*---
title: ABC-анализ покупателей
description: Какие покупатели приносят большую часть выручки. Учтены проведённые отгрузки, возвраты выручку уменьшают.
dateBasis: shipment
keywords: [клиенты, выручка, лучшие, крупнейшие, заказчики, топ, покупатели, top customers, clients, best, largest, revenue, buyers, sales]
position: 3
columns:
  customer:         { title: Покупатель, type: text }
  sales:            { title: Продаж, type: integer, total: sum(sales), aggregation: { rows: sum, periods: sum } }
  revenue:          { title: Выручка, type: money, total: sum(revenue), aggregation: { rows: sum, periods: sum } }
  share:            { title: Доля, type: percent, total: case when sum(revenue) > 0 then 100.0 end }
  cumulative_share: { title: Доля нарастающим итогом, type: percent, total: none }
  class:            { title: Класс, type: text, total: none }
  customer_id:      { title: Номер покупателя, type: text, total: none }
  inn:              { title: ИНН, type: text, total: none }
key: [customer_id]
chart: { kind: bars, measures: [revenue], label: customer }
facts:
  customers: { type: integer, total: count(*) filter (where sales > 0 and customer_id <> '0') }
  best_share: { type: percent, total: "round(100.00000000000000000000 * sum(revenue) filter (where class = 'A') / nullif(greatest(sum(revenue), 0), 0), 1)" }
summary: >-
  За {period}
  {sales, plural,
  =0 {продаж не было}
  one {совершена # продажа}
  few {совершены # продажи}
  many {совершено # продаж}
  other {совершено # продажи}},
  выручка за вычетом возвратов — {revenue}{customers, plural,
  =0 {} other {, покупателей — #}}{best_share_sign, select,
  none {} other {, на класс A приходится {best_share} выручки}}.
emptySummary: За {period} продаж не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 200000
budget: { buffersPerThousandRows: 30 }
---*/
-- Tuned 2026-11-21, over this year: 0.9 ms and 20 buffers for the median demo organization, 36 ms and 499 for the
-- large one, with sales_by_shipment, sale_lines_by_document and counterparties_named; without: 1.7 ms and 492, 69
-- ms and 992.
-- Without the bound on sale_id, the large one reads all lines ever sold: 51 ms and 1,696.
-- By shipment: the lines of the period's documents. A return reduces revenue and is not counted as a sale.
with documents as (
    select
        sales.id,
        sales.counterparty_id,
        sales.kind
    from sales
    where sales.shipped_at >= :period_start_at
      and sales.shipped_at < :period_end_at
      and sales.status = 'posted'
),
by_document as (
    select
        sale_lines.sale_id,
        sum(sale_lines.amount_kopecks) as amount
    from sale_lines
    -- why: ids grow with time, so this excludes older lines. With an upper bound too, the planner would expect few
    -- rows and not use the index sale_lines_by_document
    where sale_lines.sale_id >= (select min(documents.id) from documents)
    group by sale_lines.sale_id
),
by_customer as (
    select
        documents.counterparty_id,
        count(*) filter (where documents.kind = 'sale') as sales,
        sum(case documents.kind when 'sale' then by_document.amount else -by_document.amount end) as revenue
    from documents
    join by_document on by_document.sale_id = documents.id
    group by documents.counterparty_id
),
named as (
    select
        coalesce(counterparties.name, 'Без контрагента') as customer,
        counterparties.inn,
        by_customer.counterparty_id,
        by_customer.sales,
        by_customer.revenue
    from by_customer
    left join counterparties on counterparties.id = by_customer.counterparty_id
    where by_customer.sales <> 0
       or by_customer.revenue <> 0
),
ranked as (
    select
        named.customer,
        named.inn,
        named.counterparty_id,
        named.sales,
        named.revenue,
        row_number() over best_first as position,
        sum(named.revenue) over best_first as cumulative,
        sum(named.revenue) over () as all_revenue
    from named
    window best_first as (
        order by named.revenue desc, named.customer collate "C", named.counterparty_id
        rows unbounded preceding
    )
)
select
    ranked.customer,
    ranked.sales,
    ranked.revenue,
    round(100.00000000000000000000 * ranked.revenue / nullif(greatest(ranked.all_revenue, 0), 0), 1) as share,
    round(100.00000000000000000000 * ranked.cumulative / nullif(greatest(ranked.all_revenue, 0), 0), 1) as cumulative_share,
    case
        when ranked.revenue <= 0 then 'C'
        -- The class depends on the running revenue before the customer.
        when 100 * (ranked.cumulative - ranked.revenue) < 80 * ranked.all_revenue then 'A'
        when 100 * (ranked.cumulative - ranked.revenue) < 95 * ranked.all_revenue then 'B'
        else 'C'
    end as class,
    -- why: a key is never null, and ids begin with 1
    coalesce(ranked.counterparty_id::text, '0') as customer_id,
    ranked.inn
from ranked
order by ranked.position
