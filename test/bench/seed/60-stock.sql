-- One million stock movements: those of sales, quarterly receipts that more than cover them, and some others.

select bench.prepare();

create unlogged table bench.movements as
with quarters as (
    -- the first one starts before the first day
    select
        quarter,
        bench.first_day()::timestamp at time zone 'UTC' + interval '91 days' * quarter - interval '12 hours' as starts_at
    from generate_series(0, 11) as quarter
),
places as (
    select
        organizations.o,
        organizations.id as organization_id,
        organizations.warehouses,
        product,
        warehouse,
        bench.id(organizations.o, product) as product_id,
        -- 1.5 times what a quarter's sales take on average
        5 + (organizations.sales * 6.0 / 12 / organizations.goods / organizations.warehouses * 1.5)::integer as quantity
    from (
        -- why offset: without it, the number of sales is computed again for each product
        select *, bench.share(300000, weight, 150) as sales
        from bench.organizations
        offset 0
    ) as organizations
    cross join lateral generate_series(1, organizations.goods) as product
    cross join lateral generate_series(1, organizations.warehouses) as warehouse
)
select
    sale_lines.organization_id,
    sale_lines.o,
    case sale_lines.kind when 'sale' then 'sale' else 'customer_return' end as kind,
    sale_lines.shipped_at as moved_at,
    sale_lines.product_id,
    sale_lines.warehouse,
    case sale_lines.kind when 'sale' then -sale_lines.quantity else sale_lines.quantity end as quantity,
    sale_lines.id as sale_line_id,
    null::bigint as transfer_id
from bench.sale_lines
where sale_lines.is_goods
  and sale_lines.status = 'posted'
union all
-- receipts; the first also makes the initial stock
select
    places.organization_id,
    places.o,
    'receipt',
    quarters.starts_at + interval '1 minute' * bench.pick(91, places.product_id * 4 + places.warehouse, 600),
    places.product_id,
    places.warehouse,
    case quarters.quarter when 0 then 20 + 2 * places.quantity else places.quantity end,
    null,
    null
from places
cross join quarters
where quarters.starts_at < bench.cutoff() - interval '1 day'
  and (quarters.quarter = 0 or bench.scale() > 0.1 or quarters.quarter % 4 = 3)
union all
-- occasional write-offs, surpluses and returns to suppliers
select
    places.organization_id,
    places.o,
    chance.kind,
    chance.at,
    places.product_id,
    places.warehouse,
    case chance.kind when 'surplus' then 1 else -1 end,
    null,
    null
from places
cross join lateral (
    select
        (array['write_off', 'write_off', 'surplus', 'supplier_return'])[1 + bench.pick(92, places.product_id * 4 + places.warehouse, 4)] as kind,
        date_trunc('second', bench.cutoff() - interval '1 day' * 900 * bench.u(93, places.product_id * 4 + places.warehouse)) as at
) as chance
where bench.pick(94, places.product_id * 4 + places.warehouse, 3) = 0
union all
-- transfers from the first warehouse to the second
select
    places.organization_id,
    places.o,
    way.kind,
    date_trunc('second', bench.cutoff() - interval '1 day' * 900 * bench.u(95, places.product_id)),
    places.product_id,
    way.warehouse,
    way.quantity,
    null,
    places.product_id
from places
cross join (values ('transfer_out', 1, -2), ('transfer_in', 2, 2)) as way (kind, warehouse, quantity)
where places.warehouse = 1
  and bench.pick(96, places.product_id, 2) = 0;

insert into stock_movements (
    organization_id, id, kind, moved_at, product_id, warehouse_id, quantity, cost_kopecks, sale_line_id, transfer_id
)
select
    movements.organization_id,
    row_number() over (order by movements.moved_at, movements.product_id, movements.warehouse, movements.sale_line_id, movements.quantity),
    movements.kind,
    movements.moved_at,
    movements.product_id,
    bench.id(movements.o, movements.warehouse),
    movements.quantity,
    movements.quantity * bench.unit_cost_kopecks(movements.product_id),
    movements.sale_line_id,
    movements.transfer_id
from bench.movements;
