-- All operations ever with their categories and days as text, and a subquery for each figure.
with with_days as (
    select
        o.kind,
        o.amount_kopecks,
        c.section,
        to_char(o.operation_date, 'YYYY-MM-DD') as accrued_on,
        to_char(o.paid_on, 'YYYY-MM-DD') as paid_on
    from operations o
    left join categories c on c.organization_id = o.organization_id and c.id = o.category_id
    where o.organization_id = :organization_id
      and o.status = 'posted'
),
income as (
    select coalesce(sum(amount_kopecks), 0) as amount
    from with_days
    where kind = 'income'
      and coalesce(section, 'income') = 'income'
      and accrued_on >= to_char(:period_start, 'YYYY-MM-DD')
      and accrued_on < to_char(:period_end, 'YYYY-MM-DD')
),
expenses as (
    select
        (
            select coalesce(sum(amount_kopecks), 0)
            from with_days
            where kind = 'expense'
              and coalesce(section, 'operating') in ('operating', 'cost_of_goods')
              and accrued_on >= to_char(:period_start, 'YYYY-MM-DD')
              and accrued_on < to_char(:period_end, 'YYYY-MM-DD')
        ) + (
            select coalesce(-sum(m.cost_kopecks), 0)
            from stock_movements m
            where m.organization_id = :organization_id
              and m.kind in ('sale', 'customer_return', 'write_off', 'surplus')
              and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
              and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
        ) as amount
)
select
    income.amount as income,
    expenses.amount as expenses,
    income.amount - expenses.amount as profit,
    round(100.00000000000000000000 * (income.amount - expenses.amount) / nullif(greatest(income.amount, 0), 0), 1)
        as profitability,
    (select coalesce(sum(opening_balance_kopecks), 0) from accounts where organization_id = :organization_id)
    + (
        select coalesce(sum(amount_kopecks), 0)
        from with_days
        where kind = 'income'
          and paid_on < to_char(:period_end, 'YYYY-MM-DD')
    ) - (
        select coalesce(sum(amount_kopecks), 0)
        from with_days
        where kind = 'expense'
          and paid_on < to_char(:period_end, 'YYYY-MM-DD')
    ) as account_balance,
    (
        select coalesce(sum(amount_kopecks), 0)
        from with_days
        where kind = 'income'
          and accrued_on <= to_char(:as_of, 'YYYY-MM-DD')
          and coalesce(paid_on, '9999-12-31') > to_char(:as_of, 'YYYY-MM-DD')
    ) as receivables,
    (
        select coalesce(sum(amount_kopecks), 0)
        from with_days
        where kind = 'expense'
          and accrued_on <= to_char(:as_of, 'YYYY-MM-DD')
          and coalesce(paid_on, '9999-12-31') > to_char(:as_of, 'YYYY-MM-DD')
    ) as payables
from income
cross join expenses
