-- Joins first and groups by names; days are compared as text; sold and lost goods are read apart, with their products.
with expenses as (
    select
        coalesce(p.name, c.name, 'Без статьи') as parent,
        case
            when (select count(*) from categories ch where ch.organization_id = :organization_id and ch.parent_id = c.id) > 0
                then 'Прочее: ' || c.name
            else coalesce(c.name, 'Без статьи')
        end as category,
        case c.section when 'cost_of_goods' then 'Себестоимость' else 'Операционные расходы' end as section,
        count(distinct o.id) as operations,
        sum(o.amount_kopecks) as amount,
        c.id
    from operations o
    left join categories c on c.organization_id = o.organization_id and c.id = o.category_id
    left join categories p on p.organization_id = c.organization_id and p.id = c.parent_id
    where o.organization_id = :organization_id
      and to_char(o.operation_date, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(o.operation_date, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and o.status = 'posted'
      and o.kind = 'expense'
      and coalesce(c.section, 'operating') in ('cost_of_goods', 'operating')
    group by p.name, c.name, c.section, c.id
    union all
    select 'Склад', 'Себестоимость проданных товаров', 'Себестоимость', 0, -sum(m.cost_kopecks), null
    from stock_movements m
    join products pr on pr.organization_id = m.organization_id and pr.id = m.product_id
    where m.organization_id = :organization_id
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and m.kind in ('sale', 'customer_return')
    having sum(m.cost_kopecks) <> 0
    union all
    select 'Склад', 'Списания и недостачи', 'Операционные расходы', 0, -sum(m.cost_kopecks), null
    from stock_movements m
    join products pr on pr.organization_id = m.organization_id and pr.id = m.product_id
    where m.organization_id = :organization_id
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and m.kind in ('write_off', 'surplus')
    having sum(m.cost_kopecks) <> 0
)
select
    e.parent,
    e.category,
    e.section,
    e.operations,
    e.amount,
    round(100.00000000000000000000 * e.amount / nullif((select sum(greatest(amount, 0)) from expenses), 0), 1) as share,
    row_number() over (order by e.amount desc, e.category collate "C", e.id) as position
from expenses e
order by position
