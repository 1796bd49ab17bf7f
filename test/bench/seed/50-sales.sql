-- Sales and returns with their lines.

select bench.prepare();

create unlogged table bench.sales as
select
    spread.id,
    spread.o,
    spread.at as shipped_at,
    organizations.id as organization_id,
    organizations.customers,
    organizations.projects,
    organizations.goods,
    case when bench.pick(72, spread.id, 30) = 0 then 'return' else 'sale' end as kind,
    case when bench.pick(73, spread.id, 50) = 0 then 'cancelled' else 'posted' end as status,
    1 + bench.pick(74, spread.id, organizations.warehouses) as warehouse
from bench.spread(71, 300000, 150) as spread
join bench.organizations using (o);

insert into sales (organization_id, id, kind, status, shipped_at, counterparty_id, project_id)
select
    sales.organization_id,
    sales.id,
    sales.kind,
    sales.status,
    sales.shipped_at,
    case when bench.pick(75, sales.id, 3) > 0
        then bench.id(sales.o, 1 + floor(sales.customers * bench.u(76, sales.id) * bench.u(77, sales.id))::integer) end,
    case when bench.pick(78, sales.id, 2) = 0 then bench.id(sales.o, 1 + bench.pick(79, sales.id, sales.projects)) end
from bench.sales
order by sales.id;

create unlogged table bench.sale_lines as
select
    sales.organization_id,
    lines.id,
    sales.id as sale_id,
    sales.o,
    lines.product,
    sales.kind,
    sales.status,
    sales.warehouse,
    sales.shipped_at,
    lines.product <= sales.goods as is_goods,
    bench.id(sales.o, lines.product) as product_id,
    1 + bench.pick(82, lines.id, 5) as quantity
from bench.sales
cross join lateral generate_series(1, case sales.kind when 'return' then 1 else 1 + bench.pick(80, sales.id, 3) end) as line
cross join lateral (
    select
        sales.id * 4 + line as id,
        1 + bench.pick(81, sales.id * 4 + line, sales.goods + sales.goods / 10) as product
) as lines;

insert into sale_lines (organization_id, id, sale_id, product_id, quantity, amount_kopecks)
select
    sale_lines.organization_id,
    sale_lines.id,
    sale_lines.sale_id,
    sale_lines.product_id,
    sale_lines.quantity,
    sale_lines.quantity * bench.unit_cost_kopecks(sale_lines.product_id) * (110 + bench.pick(83, sale_lines.id, 60)) / 100
from bench.sale_lines;
