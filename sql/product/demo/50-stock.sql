-- Stock movements with their cost at posting. Receipts come on the supplier's weekday, before the shop opens, and
-- cover the week's demand, so that stock never falls below zero and issues have a correct moving average cost.

select demo.prepare();

-- Demand of a month for each product in each warehouse, thousandths.
create unlogged table demo.stock_demand as
select
    line.o,
    line.product,
    line.warehouse,
    greatest(100, (sum(line.quantity) * 30 / greatest(30, demo.today() - organization.start_on))::bigint) as month_quantity,
    min(line.day) as first_day,
    max(line.day) as last_day
from demo.posted_line as line
join demo.organization on organization.o = line.o
where line.kind = 'sale'
  and line.product <= organization.goods
group by line.o, line.product, line.warehouse, organization.start_on;
analyze demo.stock_demand;

create unlogged table demo.stock_event (
    o integer not null,
    product integer not null,
    warehouse integer not null,
    kind text not null,
    at timestamptz not null,
    day date not null,
    key bigint not null,
    quantity bigint not null,
    line_id bigint,
    to_warehouse integer
);
insert into demo.stock_event (o, product, warehouse, kind, at, day, key, quantity, line_id)
select
    line.o, line.product, line.warehouse,
    case line.kind when 'sale' then 'sale' else 'customer_return' end,
    line.at, line.day, line.id, line.quantity, line.id
from demo.posted_line as line
join demo.organization on organization.o = line.o
where line.product <= organization.goods;

-- Occasionally in the evening: write-offs, surpluses, returns to the supplier, transfers to another warehouse.
insert into demo.stock_event (o, product, warehouse, kind, at, day, key, quantity, to_warehouse)
select
    demand.o, demand.product, demand.warehouse,
    chance.kind,
    demo.at(chance.day, 72000 + demo.pick(304, chance.key, 7200), organization.zone),
    chance.day,
    chance.key,
    case
        when product.unit in ('кг', 'м', 'л', 'м²') then greatest(100, (demand.month_quantity * chance.part)::bigint / 100 * 100)
        else greatest(1000, (demand.month_quantity * chance.part)::bigint / 1000 * 1000)
    end,
    case when chance.kind = 'transfer_out' then 1 + demand.warehouse % organization.warehouses end
from demo.stock_demand as demand
join demo.organization on organization.o = demand.o
join demo.product on product.o = demand.o and product.k = demand.product
cross join lateral generate_series(0, (demo.today() - demo.first_day()) / 30) as month
cross join lateral (
    select
        (demand.o * 10000 + demand.product) * 1000::bigint + demand.warehouse * 100 + month as key
) as seed
cross join lateral (
    select
        seed.key,
        demo.first_day() + month * 30 + demo.pick(302, seed.key, 30) as day,
        demo.u(301, seed.key) as luck,
        case
            when demo.u(301, seed.key) < 0.035 then 'write_off'
            when demo.u(301, seed.key) < 0.05 then 'surplus'
            when demo.u(301, seed.key) < 0.06 then 'supplier_return'
            else 'transfer_out'
        end as kind,
        case when demo.u(301, seed.key) < 0.06 then 0.02 + 0.1 * demo.u(303, seed.key) else 0.3 + 0.4 * demo.u(303, seed.key) end as part
) as chance
where chance.luck < 0.12
  and (chance.kind <> 'transfer_out' or organization.warehouses > 1)
  and chance.day > demand.first_day
  and chance.day <= demand.last_day
  and demo.at(chance.day, 72000 + demo.pick(304, chance.key, 7200), organization.zone) < demo.cutoff();
analyze demo.stock_event;

create unlogged table demo.movement (
    o integer not null,
    product integer not null,
    warehouse integer not null,
    kind text not null,
    at timestamptz not null,
    key bigint not null,
    quantity bigint not null,
    cost_kopecks bigint not null,
    line_id bigint,
    transfer_key bigint
);

-- Posts the events of each product in chronological order, with quantity and value by warehouse.
create function demo.post_movements() returns setof demo.movement language plpgsql as $$
declare
    event record;
    posted demo.movement;
    delivered_on date;
    current_o integer := 0;
    current_product integer := 0;
    stock bigint[];
    worth bigint[];
    week integer[];
    unit_cost bigint;
    cost bigint;
    w integer;
begin
    for event in
        select
            stock_event.*,
            delivery.week,
            -- why: a delivery must cover all issues until the next one
            sum(case when stock_event.kind in ('sale', 'write_off', 'supplier_return', 'transfer_out') then stock_event.quantity else 0 end)
                over (partition by stock_event.o, stock_event.product, stock_event.warehouse, delivery.week) as week_quantity,
            demand.month_quantity,
            product.cost_kopecks as list_cost,
            product.key as product_key,
            product.supplier,
            organization.start_on,
            organization.zone
        from demo.stock_event
        join demo.organization on organization.o = stock_event.o
        join demo.product on product.o = stock_event.o and product.k = stock_event.product
        join demo.stock_demand as demand
            on demand.o = stock_event.o and demand.product = stock_event.product and demand.warehouse = stock_event.warehouse
        cross join lateral (
            select (stock_event.day - date '2000-01-01' - product.supplier % 5) / 7 as week
        ) as delivery
        order by stock_event.o, stock_event.product, stock_event.at, stock_event.key
    loop
        if event.o <> current_o or event.product <> current_product then
            current_o := event.o;
            current_product := event.product;
            stock := array[0, 0, 0];
            worth := array[0, 0, 0];
            week := array[-1, -1, -1];
            unit_cost := event.list_cost;
        end if;
        w := event.warehouse;
        posted.o := event.o;
        posted.product := event.product;

        if week[w] <> event.week then
            week[w] := event.week;
            if stock[w] < event.week_quantity then
                -- one to three months' demand in whole units; prices rise by 7 percent a year, give or take
                posted.key := event.product_key * 100000 + event.week * 8 + w;
                posted.quantity := 1000 * ceil(greatest(
                    event.month_quantity * (1 + 2 * demo.u(311, event.product_key * 8 + w)),
                    event.week_quantity - stock[w]
                ) / 1000)::bigint;
                delivered_on := greatest(event.start_on, date '2000-01-01' + event.supplier % 5 + event.week * 7);
                unit_cost := (event.list_cost * (0.97 + 0.08 * demo.u(312, posted.key))
                    * (1 + 0.07 * (delivered_on - demo.first_day()) / 365.25))::bigint;
                posted.warehouse := w;
                posted.kind := 'receipt';
                posted.at := demo.at(delivered_on, 28800 + demo.pick(313, posted.key, 3000), event.zone);
                posted.cost_kopecks := unit_cost * posted.quantity / 1000;
                posted.line_id := null;
                posted.transfer_key := null;
                stock[w] := stock[w] + posted.quantity;
                worth[w] := worth[w] + posted.cost_kopecks;
                return next posted;
            end if;
        end if;

        posted.at := event.at;
        posted.key := event.key;
        posted.warehouse := w;
        posted.kind := event.kind;
        posted.line_id := event.line_id;
        posted.transfer_key := case when event.kind = 'transfer_out' then event.key end;
        if event.kind in ('customer_return', 'surplus') then
            -- a return has the current average cost, or the last price
            cost := case
                when stock[w] > 0 then round(worth[w]::numeric * event.quantity / stock[w])::bigint
                else unit_cost * event.quantity / 1000
            end;
            posted.quantity := event.quantity;
        else
            cost := -round(worth[w]::numeric * event.quantity / stock[w])::bigint;
            posted.quantity := -event.quantity;
        end if;
        posted.cost_kopecks := cost;
        stock[w] := stock[w] + posted.quantity;
        worth[w] := worth[w] + cost;
        return next posted;

        if event.kind = 'transfer_out' then
            w := event.to_warehouse;
            posted.warehouse := w;
            posted.kind := 'transfer_in';
            posted.quantity := event.quantity;
            posted.cost_kopecks := -cost;
            stock[w] := stock[w] + event.quantity;
            worth[w] := worth[w] - cost;
            return next posted;
        end if;
    end loop;
end
$$;

insert into demo.movement
select * from demo.post_movements();
analyze demo.movement;

insert into stock_movements (
    organization_id, id, kind, moved_at, product_id, warehouse_id, quantity, cost_kopecks, sale_line_id, transfer_id
)
select
    organization.id,
    -- a transfer leaves before it arrives
    row_number() over (order by movement.at, movement.o, movement.product, movement.key, movement.kind desc),
    movement.kind,
    movement.at,
    demo.id(movement.o, movement.product),
    demo.id(movement.o, movement.warehouse),
    movement.quantity / 1000.0,
    movement.cost_kopecks,
    movement.line_id,
    case
        when movement.transfer_key is not null
            then dense_rank() over (
                partition by movement.transfer_key is null
                order by movement.at, movement.o, movement.product, movement.transfer_key
            )
    end
from demo.movement
join demo.organization on organization.o = movement.o
order by 2;

-- The minimum: the demand of a few weeks. New products were never received, but some have a minimum.
insert into products (
    organization_id, id, sku, name, unit, kind, minimum_quantity, purchase_price_kopecks, supplier_id, archived_at
)
select
    organization.id,
    demo.id(product.o, product.k),
    product.sku,
    product.name,
    product.unit,
    product.kind,
    case
        when product.kind = 'service' or demo.pick(321, product.key, 10) < 3 then null
        when demand.month_quantity is null then 5
        else greatest(1, round(demand.month_quantity * (0.12 + 0.3 * demo.u(322, product.key)) / 1000)::integer)
    end,
    case when product.kind = 'goods' then (product.cost_kopecks * 1.15)::bigint end,
    demo.id(product.o, product.supplier),
    case
        when product.sold_until < demo.today() - 180 then demo.at(product.sold_until + 150, 61200, organization.zone)
    end
from demo.product
join demo.organization on organization.o = product.o
left join (
    select o, product, sum(month_quantity) as month_quantity
    from demo.stock_demand
    group by o, product
) as demand on demand.o = product.o and demand.product = product.k
order by 2;
