-- All movements ever with their products and suppliers, grouped by names; the last receipt of each product is numbered
-- out of all receipts.
with stock as (
    select
        p.id,
        p.name,
        p.sku,
        p.unit,
        p.minimum_quantity as minimum,
        p.purchase_price_kopecks,
        cp.name as supplier,
        coalesce(sum(m.quantity), 0.000) as stock,
        round(greatest(coalesce(-sum(m.quantity) filter (
            where m.kind in ('sale', 'customer_return')
              and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:as_of - 29, 'YYYY-MM-DD')
        ), 0), 0) / 30, 3) as daily_sales
    from products p
    left join counterparties cp on cp.organization_id = p.organization_id and cp.id = p.supplier_id
    left join stock_movements m
        on m.organization_id = p.organization_id
        and m.product_id = p.id
        and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
    where p.organization_id = :organization_id
      and p.kind = 'goods'
      and p.archived_at is null
    group by p.id, p.name, p.sku, p.unit, p.minimum_quantity, p.purchase_price_kopecks, cp.name
),
receipts as (
    select
        m.product_id,
        m.quantity,
        m.cost_kopecks,
        row_number() over (partition by m.product_id order by m.moved_at desc, m.id desc) as place
    from stock_movements m
    where m.organization_id = :organization_id
      and m.kind = 'receipt'
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
)
select
    s.name as product,
    s.sku,
    s.supplier,
    s.unit,
    s.stock,
    s.minimum,
    s.minimum - s.stock as shortage,
    s.daily_sales,
    coalesce(round(1.00000000000000000000 * r.cost_kopecks / r.quantity), s.purchase_price_kopecks) as price,
    coalesce(
        round(1.00000000000000000000 * (s.minimum - s.stock) * r.cost_kopecks / r.quantity),
        round((s.minimum - s.stock) * s.purchase_price_kopecks)
    ) as amount
from stock s
left join receipts r on r.product_id = s.id and r.place = 1
where s.minimum > s.stock
order by amount desc nulls last, s.name collate "C", s.id
