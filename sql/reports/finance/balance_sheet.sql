/*---
title: Управленческий баланс
columns:
  item:     { title: Показатель, type: text }
  side:     { title: Раздел, type: text, total: none }
  opening:  { title: На начало, type: money, total: sum(opening) }
  change:   { title: Изменение, type: money, total: sum(change) }
  closing:  { title: На конец, type: money, total: sum(closing) }
key: [item]
facts:
  assets:      { type: money, total: "coalesce(sum(closing) filter (where side = 'Активы'), 0)" }
  liabilities: { type: money, total: "coalesce(-sum(closing) filter (where side = 'Обязательства'), 0)" }
summary: >-
  На {as_of} активы — {assets}, обязательства — {liabilities},
  {closing_sign, select,
  negative {обязательства больше активов на {closing_abs}}
  other {собственные средства — {closing}}},
  за {period} собственные средства
  {change_sign, select,
  positive {выросли на {change}}
  negative {уменьшились на {change_abs}}
  other {не изменились}}.
emptySummary: На {as_of} ни активов, ни обязательств нет.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 10s
maxRows: 10
---*/
-- Tuned 2026-11-21, over this year: 2.3 ms and 186 buffers for the median demo organization, 85 ms and 4,810 for
-- the large one, with operations_posted_by_payment and stock_movements_by_place; without: 8.2 ms and 4,205, 101 ms
-- and 9,718. The two days in a common table expression of their own, instead of in place, kept the planner from
-- running the scans in parallel: 290 ms for the large one.
-- What the organization owns and owes at the end of two days: :as_of, and the one before the period. Where the period
-- has not begun that is today in both.
with by_kind as (
    select
        operations.kind,
        case operations.kind when 'income' then 1 else -1 end as sign,
        coalesce(sum(operations.amount_kopecks) filter (where operations.paid_on <= least(:period_start - 1, :today)), 0)
            as paid_before,
        coalesce(sum(operations.amount_kopecks) filter (where operations.paid_on <= :as_of), 0)
            as paid,
        coalesce(
            sum(operations.amount_kopecks) filter (
                where operations.operation_date <= least(:period_start - 1, :today)
                  and coalesce(operations.paid_on, 'infinity') > least(:period_start - 1, :today)
            ),
            0
        ) as owed_before,
        coalesce(
            sum(operations.amount_kopecks) filter (
                where operations.operation_date <= :as_of
                  and coalesce(operations.paid_on, 'infinity') > :as_of
            ),
            0
        ) as owed,
        coalesce(
            sum(operations.amount_kopecks) filter (
                where operations.operation_date > least(:period_start - 1, :today)
                  and operations.paid_on <= least(:period_start - 1, :today)
            ),
            0
        ) as advanced_before,
        coalesce(
            sum(operations.amount_kopecks) filter (
                where operations.operation_date > :as_of
                  and operations.paid_on <= :as_of
            ),
            0
        ) as advanced
    from operations
    where operations.organization_id = :organization_id
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
    group by operations.kind
),
paid as (
    select
        coalesce(sum(by_kind.sign * by_kind.paid_before), 0) as balance_before,
        coalesce(sum(by_kind.sign * by_kind.paid), 0) as balance
    from by_kind
),
accounts_opening as (
    select coalesce(sum(accounts.opening_balance_kopecks), 0) as balance
    from accounts
    where accounts.organization_id = :organization_id
),
by_product as (
    select
        stock_movements.product_id,
        sum(stock_movements.cost_kopecks) filter (
            where stock_movements.moved_at < least(:period_start, :today + 1)::timestamp at time zone :time_zone
        ) as value_before,
        sum(stock_movements.cost_kopecks) as value
    from stock_movements
    where stock_movements.organization_id = :organization_id
      and stock_movements.moved_at < (:as_of + 1)::timestamp at time zone :time_zone
    group by stock_movements.product_id
),
stock as (
    select
        coalesce(sum(by_product.value_before), 0) as value_before,
        coalesce(sum(by_product.value), 0) as value
    from by_product
    join products
        on products.organization_id = :organization_id
        and products.id = by_product.product_id
        and products.kind = 'goods'
),
-- Loans, the owner's money and dividends: what came of them and did not go back is owed.
financing as (
    select
        coalesce(
            sum(case operations.kind when 'income' then operations.amount_kopecks else -operations.amount_kopecks end)
                filter (where operations.operation_date <= least(:period_start - 1, :today)),
            0
        ) as balance_before,
        coalesce(
            sum(case operations.kind when 'income' then operations.amount_kopecks else -operations.amount_kopecks end),
            0
        ) as balance
    from categories
    join operations
        on operations.organization_id = :organization_id
        and operations.category_id = categories.id
        and operations.operation_date <= :as_of
        and operations.status = 'posted'
    where categories.organization_id = :organization_id
      and categories.section = 'financing'
),
items as (
    select
        1 as position,
        'Деньги на счетах' as item,
        'Активы' as side,
        accounts_opening.balance + paid.balance_before as opening,
        accounts_opening.balance + paid.balance as closing
    from accounts_opening
    cross join paid
    union all
    select 2, 'Задолженность покупателей', 'Активы', by_kind.owed_before, by_kind.owed
    from by_kind
    where by_kind.kind = 'income'
    union all
    select 3, 'Авансы выданные', 'Активы', by_kind.advanced_before, by_kind.advanced
    from by_kind
    where by_kind.kind = 'expense'
    union all
    select 4, 'Товары на складах', 'Активы', stock.value_before, stock.value
    from stock
    union all
    select 5, 'Задолженность поставщикам', 'Обязательства', -by_kind.owed_before, -by_kind.owed
    from by_kind
    where by_kind.kind = 'expense'
    union all
    select 6, 'Авансы полученные', 'Обязательства', -by_kind.advanced_before, -by_kind.advanced
    from by_kind
    where by_kind.kind = 'income'
    union all
    select 7, 'Кредиты, займы и деньги собственника', 'Обязательства', -financing.balance_before, -financing.balance
    from financing
)
select
    items.item,
    items.side,
    items.opening,
    items.closing - items.opening as change,
    items.closing
from items
where items.opening <> 0
   or items.closing <> 0
order by items.position
