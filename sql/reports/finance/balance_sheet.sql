/*---
title: Управленческий баланс
description: Чем владеет организация и кому должна, на начало и на конец периода. Обязательства и финансирование показаны с минусом.
dateBasis: state
keywords: [активы, пассивы, капитал, имущество, обязательства, собственные, средства, assets, liabilities, equity, capital]
position: 11
columns:
  item:    { title: Показатель, type: text }
  side:    { title: Раздел, type: text, total: none }
  opening: { title: На начало, type: money, total: sum(opening), aggregation: { rows: sum, periods: first } }
  change:  { title: Изменение, type: money, total: sum(change), aggregation: { rows: sum, periods: sum } }
  closing: { title: На конец, type: money, total: sum(closing), aggregation: { rows: sum, periods: last } }
  item_id: { title: Код показателя, type: text, total: none }
key: [item_id]
chart: { kind: bars, measures: [closing, opening], label: item, order: rows }
facts:
  assets:      { type: money, total: "coalesce(sum(closing) filter (where side = 'Активы'), 0)" }
  liabilities: { type: money, total: "coalesce(-sum(closing) filter (where side = 'Обязательства'), 0)" }
  financing:   { type: money, total: "coalesce(-sum(closing) filter (where side = 'Финансирование'), 0)" }
summary: >-
  На {as_of} активы — {assets}, обязательства — {liabilities}{financing_sign, select,
  zero {}
  negative {, кредиторы и собственник получили на {financing_abs} больше, чем дали}
  other {, кредиты и деньги собственника — {financing}}},
  {closing_sign, select,
  negative {накопленный убыток — {closing_abs}}
  other {накопленная прибыль — {closing}}}{change_sign, select,
  positive {, за {period} заработано {change}}
  negative {, за {period} потеряно {change_abs}}
  other {}}.
emptySummary: На {as_of} ни активов, ни обязательств нет.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 10s
maxRows: 10000
# why: all movements are summed, and an organization with most of the table's rows gets a sequential scan
budget: { buffersPerThousandRows: 35, seqScan: 64MiB }
---*/
-- Tuned 2026-11-21, over this year: 2.7 ms and 78 buffers for the median demo organization, 78 ms and 4,530 for the
-- large one, with operations_posted_by_payment, stock_movements_by_place, products_named and categories_named;
-- without: 8.1 ms and 4,183, 117 ms and 9,577.
-- With the sign inside the sums, the large one takes 111 ms.
-- Assets, liabilities and capital at the end of two days: as_of and the day before the period. For a future period,
-- both are today.
with by_category as (
    select
        operations.kind,
        operations.category_id,
        -- why: outside the sums, because inside it would be evaluated for each row
        case operations.kind when 'income' then 1 else -1 end as sign,
        coalesce(sum(operations.amount_kopecks) filter (where operations.paid_on <= least(:period_start - 1, :today)), 0)
            as paid_before,
        coalesce(sum(operations.amount_kopecks) filter (where operations.paid_on <= :as_of), 0)
            as paid,
        coalesce(
            sum(operations.amount_kopecks) filter (
                where operations.operation_date <= least(:period_start - 1, :today)
            ),
            0
        ) as accrued_before,
        coalesce(sum(operations.amount_kopecks) filter (where operations.operation_date <= :as_of), 0)
            as accrued,
        coalesce(
            sum(operations.amount_kopecks) filter (
                where operations.operation_date <= least(:period_start - 1, :today)
                  and operations.paid_on <= least(:period_start - 1, :today)
            ),
            0
        ) as settled_before,
        coalesce(
            sum(operations.amount_kopecks) filter (
                where operations.operation_date <= :as_of
                  and operations.paid_on <= :as_of
            ),
            0
        ) as settled
    from operations
    where operations.status = 'posted'
      and operations.kind in ('income', 'expense')
    group by operations.kind, operations.category_id
),
-- why: of a midnight that comes twice, a day begins at the first: 24 hours after the midnight before
tomorrow as (
    select
        case
            when next_day.at at time zone :time_zone = :today + 1 then next_day.at
            else (:today + 1)::timestamp at time zone :time_zone
        end as starts_at
    from (select :today::timestamp at time zone :time_zone + interval '24 hours' as at) as next_day
),
by_product as (
    select
        stock_movements.product_id,
        sum(stock_movements.cost_kopecks) filter (
            where stock_movements.moved_at < :period_start_at
        ) as value_before,
        sum(stock_movements.cost_kopecks) as value,
        sum(stock_movements.cost_kopecks) filter (
            where stock_movements.moved_at < :period_start_at
              and stock_movements.kind in ('receipt', 'supplier_return')
        ) as supplied_before,
        sum(stock_movements.cost_kopecks) filter (
            where stock_movements.kind in ('receipt', 'supplier_return')
        ) as supplied
    from stock_movements
    where stock_movements.moved_at < :period_end_at
      and stock_movements.moved_at < (select tomorrow.starts_at from tomorrow)
    group by stock_movements.product_id
),
-- A received service is not stock and no longer in transit.
stock as (
    select
        coalesce(sum(by_product.value_before) filter (where products.kind = 'goods'), 0) as value_before,
        coalesce(sum(by_product.value) filter (where products.kind = 'goods'), 0) as value,
        coalesce(sum(by_product.supplied_before), 0) as supplied_before,
        coalesce(sum(by_product.supplied), 0) as supplied
    from by_product
    join products on products.id = by_product.product_id
),
-- A null item stands for one line per category.
lines (position, side, item, code) as (
    values
        (1, 'Активы', 'Деньги на счетах', 'money'),
        (2, 'Активы', 'Задолженность покупателей', 'receivables'),
        (3, 'Активы', 'Авансы выданные', 'advances_paid'),
        (4, 'Активы', 'Товары на складах', 'stock'),
        (5, 'Активы', 'Закупки в пути', 'in_transit'),
        (6, 'Активы', null, null),
        (7, 'Обязательства', 'Задолженность поставщикам', 'payables'),
        (8, 'Обязательства', 'Авансы полученные', 'advances_received'),
        (9, 'Финансирование', null, null)
),
parts as (
    select
        1 as position,
        null::bigint as category_id,
        accounts.opening_balance_kopecks as opening,
        accounts.opening_balance_kopecks as closing
    from accounts
    union all
    select 1, null, by_category.sign * by_category.paid_before, by_category.sign * by_category.paid
    from by_category
    union all
    -- Accrued and unpaid: a debt.
    select
        case by_category.kind when 'income' then 2 else 7 end,
        null,
        by_category.sign * (by_category.accrued_before - by_category.settled_before),
        by_category.sign * (by_category.accrued - by_category.settled)
    from by_category
    union all
    -- Paid and not accrued: an advance.
    select
        case by_category.kind when 'expense' then 3 else 8 end,
        null,
        by_category.sign * (by_category.settled_before - by_category.paid_before),
        by_category.sign * (by_category.settled - by_category.paid)
    from by_category
    union all
    select 4, null, stock.value_before, stock.value
    from stock
    union all
    -- Purchases minus receipts are in transit.
    select 5, null, -stock.supplied_before, -stock.supplied
    from stock
    union all
    select
        case categories.section when 'goods_purchase' then 5 when 'investing' then 6 else 9 end,
        case when categories.section <> 'goods_purchase' then categories.id end,
        -by_category.sign * by_category.accrued_before,
        -by_category.sign * by_category.accrued
    from by_category
    join categories
        on categories.id = by_category.category_id
        and categories.section in ('goods_purchase', 'investing', 'financing')
),
items as (
    select
        parts.position,
        parts.category_id,
        sum(parts.opening) as opening,
        sum(parts.closing) as closing
    from parts
    group by parts.position, parts.category_id
    having sum(parts.opening) <> 0
        or sum(parts.closing) <> 0
)
select
    coalesce(lines.item, categories.name) as item,
    lines.side,
    items.opening,
    items.closing - items.opening as change,
    items.closing,
    -- A category has one section, and so one line.
    coalesce(lines.code, items.category_id::text) as item_id
from items
join lines on lines.position = items.position
left join categories on categories.id = items.category_id
order by items.position, categories.name collate "C", items.category_id
