-- All facts ever are put together with their categories, and everything is asked of them: the first day, the months,
-- the sums.
with facts as (
    select
        to_char(o.operation_date, 'YYYY-MM-DD') as day,
        to_char(o.operation_date, 'YYYY-MM') as month,
        case when o.kind = 'income' then o.amount_kopecks else 0 end as income,
        case when o.kind = 'expense' and c.section = 'cost_of_goods' then o.amount_kopecks else 0 end as cost_of_goods,
        case when o.kind = 'expense' and coalesce(c.section, 'operating') = 'operating' then o.amount_kopecks else 0 end
            as operating_expenses
    from operations o
    left join categories c on c.organization_id = o.organization_id and c.id = o.category_id
    where o.organization_id = :organization_id
      and o.status = 'posted'
      and (
          (o.kind = 'income' and coalesce(c.section, 'income') = 'income')
          or (o.kind = 'expense' and coalesce(c.section, 'operating') in ('operating', 'cost_of_goods'))
      )
    union all
    select
        to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD'),
        to_char(m.moved_at at time zone :time_zone, 'YYYY-MM'),
        0,
        case when m.kind in ('sale', 'customer_return') then -m.cost_kopecks else 0 end,
        case when m.kind in ('write_off', 'surplus') then -m.cost_kopecks else 0 end
    from stock_movements m
    where m.organization_id = :organization_id
      and m.kind in ('sale', 'customer_return', 'write_off', 'surplus')
),
in_period as (
    select *
    from facts
    where day >= to_char(:period_start, 'YYYY-MM-DD')
      and day < to_char(:period_end, 'YYYY-MM-DD')
),
months as (
    select generate_series(
        date_trunc('month', greatest(:period_start, (select min(day) from facts)::date)::timestamp),
        date_trunc('month', greatest(:as_of, (select max(day) from in_period)::date)::timestamp),
        interval '1 month'
    ) as month
    where exists (select 1 from facts)
      and (:as_of >= :period_start or exists (select 1 from in_period))
),
figures as (
    select
        m.month,
        coalesce(sum(f.income), 0) as income,
        coalesce(sum(f.cost_of_goods), 0) as cost_of_goods,
        coalesce(sum(f.operating_expenses), 0) as operating_expenses
    from months m
    left join in_period f on f.month = to_char(m.month, 'YYYY-MM')
    group by m.month
)
select
    (array[
        'Январь', 'Февраль', 'Март', 'Апрель', 'Май', 'Июнь',
        'Июль', 'Август', 'Сентябрь', 'Октябрь', 'Ноябрь', 'Декабрь'
    ])[extract(month from month)::integer] || ' ' || extract(year from month) as month_name,
    to_char(month, 'YYYY-MM') as month,
    income,
    cost_of_goods,
    income - cost_of_goods as gross_profit,
    operating_expenses,
    income - cost_of_goods - operating_expenses as profit,
    round(
        100.00000000000000000000 * (income - cost_of_goods - operating_expenses) / nullif(greatest(income, 0), 0), 1
    ) as margin,
    cost_of_goods + operating_expenses as expenses
from figures
order by figures.month
