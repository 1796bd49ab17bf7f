-- A line of the balance sheet is a subquery for each of its ends, over all that the organization ever had.
with ends as (
    select 'opening' as name, least(:period_start - 1, :today) as day
    union all
    select 'closing', :as_of
),
facts as (
    select
        o.kind,
        o.category_id,
        c.section,
        to_char(o.operation_date, 'YYYY-MM-DD') as accrued_on,
        to_char(o.paid_on, 'YYYY-MM-DD') as paid_on,
        case when o.kind = 'income' then o.amount_kopecks else -o.amount_kopecks end as amount
    from operations o
    left join categories c on c.organization_id = o.organization_id and c.id = o.category_id
    where o.organization_id = :organization_id
      and o.status = 'posted'
      and o.kind <> 'transfer'
),
movements as (
    select
        to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') as day,
        m.kind,
        p.kind as product_kind,
        m.cost_kopecks as amount
    from stock_movements m
    join products p on p.organization_id = m.organization_id and p.id = m.product_id
    where m.organization_id = :organization_id
),
lines as (
    select
        1 as position, 'Активы' as side, 'Деньги на счетах' as item, null::bigint as category_id, e.name as end_name,
        (select coalesce(sum(opening_balance_kopecks), 0) from accounts where organization_id = :organization_id)
            + (select coalesce(sum(f.amount), 0) from facts f where f.paid_on <= to_char(e.day, 'YYYY-MM-DD')) as amount
    from ends e
    union all
    select
        2, 'Активы', 'Задолженность покупателей', null, e.name,
        (
            select coalesce(sum(f.amount), 0)
            from facts f
            where f.kind = 'income'
              and f.accrued_on <= to_char(e.day, 'YYYY-MM-DD')
              and coalesce(f.paid_on, '9999-12-31') > to_char(e.day, 'YYYY-MM-DD')
        )
    from ends e
    union all
    select
        3, 'Активы', 'Авансы выданные', null, e.name,
        (
            select coalesce(-sum(f.amount), 0)
            from facts f
            where f.kind = 'expense'
              and f.paid_on <= to_char(e.day, 'YYYY-MM-DD')
              and f.accrued_on > to_char(e.day, 'YYYY-MM-DD')
        )
    from ends e
    union all
    select
        4, 'Активы', 'Товары на складах', null, e.name,
        (
            select coalesce(sum(m.amount), 0)
            from movements m
            where m.product_kind = 'goods'
              and m.day <= to_char(e.day, 'YYYY-MM-DD')
        )
    from ends e
    union all
    select
        5, 'Активы', 'Закупки в пути', null, e.name,
        (
            select coalesce(-sum(f.amount), 0)
            from facts f
            where f.section = 'goods_purchase'
              and f.accrued_on <= to_char(e.day, 'YYYY-MM-DD')
        ) - (
            select coalesce(sum(m.amount), 0)
            from movements m
            where m.kind in ('receipt', 'supplier_return')
              and m.day <= to_char(e.day, 'YYYY-MM-DD')
        )
    from ends e
    union all
    select
        case c.section when 'investing' then 6 else 9 end,
        case c.section when 'investing' then 'Активы' else 'Финансирование' end,
        c.name,
        c.id,
        e.name,
        (
            select coalesce(-sum(f.amount), 0)
            from facts f
            where f.category_id = c.id
              and f.accrued_on <= to_char(e.day, 'YYYY-MM-DD')
        )
    from categories c
    cross join ends e
    where c.organization_id = :organization_id
      and c.section in ('investing', 'financing')
    union all
    select
        7, 'Обязательства', 'Задолженность поставщикам', null, e.name,
        (
            select coalesce(sum(f.amount), 0)
            from facts f
            where f.kind = 'expense'
              and f.accrued_on <= to_char(e.day, 'YYYY-MM-DD')
              and coalesce(f.paid_on, '9999-12-31') > to_char(e.day, 'YYYY-MM-DD')
        )
    from ends e
    union all
    select
        8, 'Обязательства', 'Авансы полученные', null, e.name,
        (
            select coalesce(-sum(f.amount), 0)
            from facts f
            where f.kind = 'income'
              and f.paid_on <= to_char(e.day, 'YYYY-MM-DD')
              and f.accrued_on > to_char(e.day, 'YYYY-MM-DD')
        )
    from ends e
)
select
    item,
    side,
    sum(amount) filter (where end_name = 'opening') as opening,
    sum(amount) filter (where end_name = 'closing') - sum(amount) filter (where end_name = 'opening') as change,
    sum(amount) filter (where end_name = 'closing') as closing
from lines
group by position, side, item, category_id
having sum(amount) filter (where end_name = 'opening') <> 0
    or sum(amount) filter (where end_name = 'closing') <> 0
order by position, item collate "C", category_id
