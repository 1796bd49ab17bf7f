-- All facts are put together row by row, with their categories, sale lines and sales; projects then have a subquery for
-- each figure, and what is shared is a subquery over the projects before.
with facts as (
    select
        o.project_id,
        case when o.kind = 'income' then o.amount_kopecks else 0 end as income,
        case when o.kind = 'expense' and o.project_id is not null then o.amount_kopecks else 0 end as direct_expenses,
        case when o.kind = 'expense' and o.project_id is null then o.amount_kopecks else 0 end as expenses_to_share
    from operations o
    left join categories c on c.organization_id = o.organization_id and c.id = o.category_id
    where o.organization_id = :organization_id
      and to_char(o.operation_date, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(o.operation_date, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and o.status = 'posted'
      and (
          (o.kind = 'income' and coalesce(c.section, 'income') = 'income')
          or (o.kind = 'expense' and coalesce(c.section, 'operating') in ('operating', 'cost_of_goods'))
      )
    union all
    select
        s.project_id,
        0,
        case when m.kind in ('sale', 'customer_return') then -m.cost_kopecks else 0 end,
        case when m.kind in ('write_off', 'surplus') then -m.cost_kopecks else 0 end
    from stock_movements m
    left join sale_lines l on l.organization_id = m.organization_id and l.id = m.sale_line_id
    left join sales s on s.organization_id = l.organization_id and s.id = l.sale_id
    where m.organization_id = :organization_id
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and m.kind in ('sale', 'customer_return', 'write_off', 'surplus')
),
all_projects as (
    select id, name from projects where organization_id = :organization_id
    union all
    select null, 'Без проекта'
),
own as (
    select
        p.id,
        p.name,
        (select coalesce(sum(f.income), 0) from facts f where f.project_id is not distinct from p.id) as income,
        (select coalesce(sum(f.direct_expenses), 0) from facts f where f.project_id is not distinct from p.id) as direct_expenses
    from all_projects p
),
weighed as (
    select
        own.*,
        case
            when id is null and (select max(income) from own) <= 0 then 1
            else greatest(income, 0)
        end as weight,
        row_number() over (order by income desc, id) as place
    from own
),
shared as (
    select
        w.*,
        (select coalesce(sum(expenses_to_share), 0) from facts) as shared,
        (select sum(weight) from weighed) as all_weight,
        (select sum(before.weight) from weighed before where before.place <= w.place) as weight_so_far,
        (select coalesce(sum(before.weight), 0) from weighed before where before.place < w.place) as weight_before
    from weighed w
),
figures as (
    select
        id,
        name,
        income,
        direct_expenses,
        div(2 * shared * weight_so_far + sign(shared) * all_weight, 2 * all_weight)
            - div(2 * shared * weight_before + sign(shared) * all_weight, 2 * all_weight) as shared_expenses
    from shared
)
select
    name as project,
    income,
    direct_expenses,
    shared_expenses,
    income - direct_expenses - shared_expenses as profit,
    round(100.00000000000000000000 * (income - direct_expenses - shared_expenses) / nullif(greatest(income, 0), 0), 1) as margin,
    id as project_id
from figures
where income <> 0
   or direct_expenses <> 0
   or shared_expenses <> 0
order by income desc, name collate "C", id
