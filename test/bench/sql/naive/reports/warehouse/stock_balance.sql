-- Joins first and groups by names; the local day of every movement is worked out as text.
with balances as (
    select
        p.name as product,
        p.sku,
        w.name as warehouse,
        p.unit,
        coalesce(sum(m.quantity) filter (
            where to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_start, 'YYYY-MM-DD')
        ), 0.000) as opening,
        coalesce(sum(m.quantity) filter (
            where to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
              and m.quantity > 0
        ), 0.000) as "in",
        coalesce(-sum(m.quantity) filter (
            where to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
              and m.quantity < 0
        ), 0.000) as "out",
        sum(m.quantity) as closing,
        coalesce(sum(m.cost_kopecks) filter (
            where to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_start, 'YYYY-MM-DD')
        ), 0) as opening_value,
        coalesce(sum(m.cost_kopecks) filter (
            where to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
              and m.quantity > 0
        ), 0) as in_value,
        coalesce(-sum(m.cost_kopecks) filter (
            where to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
              and m.quantity < 0
        ), 0) as out_value,
        sum(m.cost_kopecks) as value,
        p.id as product_id,
        w.id as warehouse_id
    from stock_movements m
    join products p on p.organization_id = m.organization_id and p.id = m.product_id
    join warehouses w on w.organization_id = m.organization_id and w.id = m.warehouse_id
    where m.organization_id = :organization_id
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and p.kind = 'goods'
    group by p.name, p.sku, w.name, p.unit, p.id, w.id
)
select
    product,
    sku,
    warehouse,
    unit,
    opening,
    "in",
    "out",
    closing,
    round(1.00000000000000000000 * value / nullif(greatest(closing, 0), 0)) as average_cost,
    opening_value,
    in_value,
    out_value,
    value,
    product_id::text as product_id,
    warehouse_id::text as warehouse_id
from balances
where opening <> 0
   or "in" <> 0
   or "out" <> 0
   or closing <> 0
   or opening_value <> 0
   or in_value <> 0
   or out_value <> 0
   or value <> 0
order by value desc, product collate "C", balances.product_id, warehouse collate "C", balances.warehouse_id
