-- All flows ever with their categories, and for each month a look through them: what was before it, what is in it.
with flows as (
    select
        to_char(o.paid_on, 'YYYY-MM-DD') as day,
        to_char(o.paid_on, 'YYYY-MM') as month,
        coalesce(c.section, 'operating') as section,
        case when o.kind = 'income' then o.amount_kopecks else -o.amount_kopecks end as amount
    from operations o
    left join categories c on c.organization_id = o.organization_id and c.id = o.category_id
    where o.organization_id = :organization_id
      and o.status = 'posted'
      and o.kind in ('income', 'expense')
      and o.paid_on is not null
),
in_period as (
    select *
    from flows
    where day >= to_char(:period_start, 'YYYY-MM-DD')
      and day < to_char(:period_end, 'YYYY-MM-DD')
),
opening as (
    select
        (select coalesce(sum(opening_balance_kopecks), 0) from accounts where organization_id = :organization_id)
            + coalesce(sum(amount), 0) as balance
    from flows
    where day < to_char(:period_start, 'YYYY-MM-DD')
),
months as (
    select generate_series(
        date_trunc('month', greatest(:period_start, (select min(day) from flows)::date)::timestamp),
        date_trunc('month', greatest(:as_of, (select max(day) from in_period)::date)::timestamp),
        interval '1 month'
    ) as month
    where exists (select 1 from flows)
      and (:as_of >= :period_start or exists (select 1 from in_period))
),
figures as (
    select
        false as is_total,
        m.month,
        (select balance from opening)
            + coalesce((select sum(f.amount) from in_period f where f.month < to_char(m.month, 'YYYY-MM')), 0) as opening,
        coalesce(sum(f.amount) filter (where f.amount > 0), 0) as received,
        coalesce(-sum(f.amount) filter (where f.amount < 0), 0) as paid,
        coalesce(sum(f.amount) filter (where f.section not in ('investing', 'financing')), 0) as operating,
        coalesce(sum(f.amount) filter (where f.section = 'investing'), 0) as investing,
        coalesce(sum(f.amount) filter (where f.section = 'financing'), 0) as financing,
        coalesce(sum(f.amount), 0) as net
    from months m
    left join in_period f on f.month = to_char(m.month, 'YYYY-MM')
    group by m.month
    union all
    select
        true,
        null,
        (select balance from opening),
        coalesce(sum(f.amount) filter (where f.amount > 0), 0),
        coalesce(-sum(f.amount) filter (where f.amount < 0), 0),
        coalesce(sum(f.amount) filter (where f.section not in ('investing', 'financing')), 0),
        coalesce(sum(f.amount) filter (where f.section = 'investing'), 0),
        coalesce(sum(f.amount) filter (where f.section = 'financing'), 0),
        coalesce(sum(f.amount), 0)
    from in_period f
)
select
    is_total,
    (array[
        'Январь', 'Февраль', 'Март', 'Апрель', 'Май', 'Июнь',
        'Июль', 'Август', 'Сентябрь', 'Октябрь', 'Ноябрь', 'Декабрь'
    ])[extract(month from month)::integer] || ' ' || extract(year from month) as month_name,
    to_char(month, 'YYYY-MM') as month,
    opening,
    received,
    paid,
    operating,
    investing,
    financing,
    net,
    opening + net as closing
from figures
order by is_total desc, figures.month
