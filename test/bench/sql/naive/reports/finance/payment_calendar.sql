-- Expectations are one list that is gone through again for each day: what moves on it, and what has moved by then.
with operations_with_day as (
    select
        o.kind,
        o.status,
        o.operation_date,
        o.paid_on,
        coalesce(o.due_on, o.operation_date) as due_on,
        case when o.kind = 'income' then o.amount_kopecks else -o.amount_kopecks end as flow
    from operations o
    left join counterparties cp on cp.organization_id = o.organization_id and cp.id = o.counterparty_id
    left join categories c on c.organization_id = o.organization_id and c.id = o.category_id
    where o.organization_id = :organization_id
      and o.kind <> 'transfer'
),
expected as (
    select
        greatest(due_on, :today) as day,
        due_on,
        flow
    from operations_with_day
    where to_char(greatest(due_on, :today), 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and (
          (status = 'posted' and paid_on is null and operation_date <= :today)
          or (status = 'planned' and due_on >= :today)
      )
),
opening as (
    select
        (select coalesce(sum(opening_balance_kopecks), 0) from accounts where organization_id = :organization_id)
        + (
            select coalesce(sum(flow), 0)
            from operations_with_day
            where status = 'posted'
              and to_char(paid_on, 'YYYY-MM-DD') <= to_char(:as_of, 'YYYY-MM-DD')
        )
        + (
            select coalesce(sum(flow) filter (where due_on >= :today or flow < 0), 0)
            from expected
            where day < :period_start
        ) as balance,
        greatest(:period_start, :today) as first_day
),
days as (
    select
        d.day::date as day,
        greatest(date_trunc('week', d.day)::date, opening.first_day) as week,
        least(date_trunc('week', d.day)::date + 6, :period_end - 1) as last_day,
        (select coalesce(sum(e.flow), 0) from expected e where e.day = d.day::date and e.flow > 0 and e.due_on >= :today) as receipts,
        (select coalesce(-sum(e.flow), 0) from expected e where e.day = d.day::date and e.flow < 0) as payments,
        (select coalesce(-sum(e.flow), 0) from expected e where e.day = d.day::date and e.flow < 0 and e.due_on < :today)
            as overdue_payments,
        (select coalesce(sum(e.flow), 0) from expected e where e.day = d.day::date and e.flow > 0 and e.due_on < :today)
            as overdue_receipts,
        opening.balance + (
            select coalesce(sum(e.flow), 0)
            from expected e
            where e.day >= opening.first_day
              and e.day <= d.day::date
              and (e.due_on >= :today or e.flow < 0)
        ) as balance
    from opening
    cross join generate_series(
        opening.first_day::timestamp, (select max(day) from expected)::timestamp, interval '1 day'
    ) as d (day)
),
weeks as (
    select
        false as is_total,
        week,
        last_day,
        sum(receipts) as receipts,
        sum(payments) as payments,
        sum(overdue_payments) as overdue_payments,
        sum(overdue_receipts) as overdue_receipts,
        (array_agg(balance order by day desc))[1] as closing,
        min(balance) as lowest,
        min(day) filter (where balance < 0) as first_gap
    from days
    group by week, last_day
    union all
    select
        true,
        null,
        null,
        coalesce(sum(receipts), 0),
        coalesce(sum(payments), 0),
        coalesce(sum(overdue_payments), 0),
        coalesce(sum(overdue_receipts), 0),
        (array_agg(balance order by day desc))[1],
        min(balance),
        min(day) filter (where balance < 0)
    from days
)
select
    is_total,
    case when week < last_day then to_char(week, 'DD.MM') || '–' else '' end || to_char(last_day, 'DD.MM.YYYY') as week_name,
    week,
    coalesce(closing - receipts + payments, opening.balance) as opening,
    receipts,
    payments,
    overdue_payments,
    coalesce(closing, opening.balance) as closing,
    coalesce(lowest, opening.balance) as lowest,
    overdue_receipts,
    opening.first_day - :as_of as days_ahead,
    opening.first_day,
    :period_end - 1 as last_day,
    case
        when closing is not null then first_gap
        when opening.balance < 0 and :as_of = :today then opening.first_day
    end as first_gap,
    greatest(0, -coalesce(lowest, opening.balance)) as gap
from weeks
cross join opening
order by is_total desc, week
