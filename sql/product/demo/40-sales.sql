-- Sales with lines, returns and sales of won deals; then the deals, whose amounts are those of the sales.

select demo.prepare();

create unlogged table demo.sale (
    key bigint primary key,
    o integer not null,
    day date not null,
    shipped_at timestamptz not null,
    kind text not null,
    status text not null,
    counterparty integer,
    deal_id bigint,
    project integer,
    warehouse integer not null,
    price float8 not null,
    id bigint
);

insert into demo.sale (key, o, day, shipped_at, kind, status, counterparty, deal_id, project, warehouse, price)
select
    facts.key,
    facts.o,
    facts.day,
    facts.shipped_at,
    'sale',
    case
        when demo.u(203, facts.key) < 0.02 then 'cancelled'
        when facts.day > demo.today() - 12 and demo.u(204, facts.key) < 0.15 then 'draft'
        else 'posted'
    end,
    facts.counterparty,
    facts.deal_id,
    case
        when organization.projects > 0 and demo.u(205, facts.key) < 0.6
            -- earlier projects of a list are larger; archived ones get nothing after their archival
            then (
                select case when p % 5 = 4 and facts.day > organization.start_on + 320 then 1 else p end
                from (select 1 + floor(organization.projects * demo.u(206, facts.key) * demo.u(207, facts.key))::integer as p) as earlier
            )
    end,
    case
        when organization.warehouses = 1 or demo.u(208, facts.key) < 0.65 then 1
        else 2 + demo.pick(209, facts.key, organization.warehouses - 1)
    end,
    facts.price
from (
    select
        day.o,
        day.day,
        day.price,
        day.key + i as key,
        demo.at(day.day, demo.work_second(201, day.key + i), organization.zone) as shipped_at,
        case
            when demo.u(202, day.key + i) >= organization.retail
                then 1 + floor(organization.customers * demo.u(210, day.key + i) * demo.u(211, day.key + i))::integer
        end as counterparty,
        null::bigint as deal_id
    from demo.day
    join demo.organization on organization.o = day.o
    cross join lateral generate_series(1, demo.facts(225, organization.size, day.demand, 200, day.key)) as i
    union all
    -- a won deal is shipped within a week, unless it was not for goods
    select
        won.o,
        day.day,
        day.price,
        1000000000000 + won.id,
        demo.at(day.day, demo.work_second(201, won.key), organization.zone),
        won.counterparty,
        won.id
    from (
        select deal.o, deal.id, deal.key, deal.counterparty, visit.entered_at
        from demo.deal
        join demo.visit on visit.deal_id = deal.id
        where visit.stage = 6
          and demo.u(212, deal.key) < 0.6
    ) as won
    join demo.organization on organization.o = won.o
    join demo.day
        on day.o = won.o
        and day.day = (won.entered_at at time zone organization.zone)::date + 1 + demo.pick(213, won.key, 6)
) as facts
join demo.organization on organization.o = facts.o
where facts.shipped_at < demo.cutoff();
analyze demo.sale;

create unlogged table demo.sale_line (
    sale_key bigint not null,
    line integer not null,
    o integer not null,
    product integer not null,
    -- thousandths
    quantity bigint not null,
    amount_kopecks bigint not null
);

insert into demo.sale_line (sale_key, line, o, product, quantity, amount_kopecks)
select
    priced.sale_key,
    priced.line,
    priced.o,
    priced.k,
    priced.quantity,
    -- one line in three hundred is a gift
    case
        when demo.pick(228, priced.key, 300) = 0 then 0
        else greatest(100, (priced.price * priced.quantity / 1000
            * (array[1, 1, 1, 1, 1, 0.97, 0.95, 0.95, 0.9, 0.85])[1 + demo.pick(227, priced.key, 10)])::bigint)
    end
from (
    select
        lines.sale_key,
        lines.line,
        lines.key,
        lines.o,
        product.k,
        product.price_kopecks * lines.price as price,
        case
            when product.kind = 'service' then 1000 * (1 + demo.pick(226, lines.key, case when lines.whole_sale then 12 else 3 end))
            -- weights, lengths, volumes and areas in tenths, pieces whole
            when product.unit in ('кг', 'м', 'л', 'м²')
                then 100 * greatest(1, round(lines.target * 10 / product.price_kopecks))::bigint
            else 1000 * greatest(1, round(lines.target / product.price_kopecks))::bigint
        end as quantity
    from (
        select
            sale.key as sale_key,
            line,
            sale.key * 8 + line as key,
            sale.o,
            sale.day,
            sale.price,
            sale.counterparty is not null as whole_sale,
            organization.goods,
            case
                when demo.u(222, sale.key * 8 + line) < 0.14
                    then organization.goods + 1 + demo.pick(223, sale.key * 8 + line, organization.services)
                else 1 + floor(organization.goods * demo.u(224, sale.key * 8 + line)
                    * (0.35 + 0.65 * demo.u(229, sale.key * 8 + line)))::integer
            end as k,
            -- kopecks to spend on the line
            case
                when sale.counterparty is null then 80000 + 700000 * demo.u(225, sale.key * 8 + line) * demo.u(230, sale.key * 8 + line)
                else 700000 + 14000000 * demo.u(225, sale.key * 8 + line) * demo.u(230, sale.key * 8 + line)
            end as target
        from demo.sale
        join demo.organization on organization.o = sale.o
        cross join lateral generate_series(
            1,
            (array[1, 1, 1, 1, 2, 2, 2, 3, 3, 4])[1 + demo.pick(221, sale.key, 10)]
        ) as line
    ) as lines
    join demo.product as wanted on wanted.o = lines.o and wanted.k = lines.k
    -- a product that is not sold on that day is replaced by one of the first third, which are always sold
    join demo.product
        on product.o = lines.o
        and product.k = case
            when lines.day >= wanted.sold_from and lines.day < wanted.sold_until then lines.k
            else 1 + lines.k % (lines.goods / 3)
        end
) as priced;
analyze demo.sale_line;

-- One sale in thirty is returned in part within three weeks.
insert into demo.sale (key, o, day, shipped_at, kind, status, counterparty, deal_id, project, warehouse, price)
select
    -sale.key,
    sale.o,
    sale.day + back.days,
    demo.at(sale.day + back.days, demo.work_second(242, sale.key), organization.zone),
    'return',
    case when demo.pick(243, sale.key, 40) = 0 then 'cancelled' else 'posted' end,
    sale.counterparty,
    null,
    sale.project,
    sale.warehouse,
    sale.price
from demo.sale
join demo.organization on organization.o = sale.o
cross join lateral (select 1 + demo.pick(244, sale.key, 20) as days) as back
where sale.status = 'posted'
  and demo.u(241, sale.key) < 0.035
  and demo.at(sale.day + back.days, demo.work_second(242, sale.key), organization.zone) < demo.cutoff();

insert into demo.sale_line (sale_key, line, o, product, quantity, amount_kopecks)
select
    -line.sale_key,
    1,
    line.o,
    line.product,
    part.quantity,
    round(line.amount_kopecks::numeric * part.quantity / line.quantity)::bigint
from demo.sale
join demo.sale_line as line on line.sale_key = -sale.key and line.line = 1
-- half of the line in whole units, or all of it
cross join lateral (
    select case
        when line.quantity >= 2000 and demo.pick(245, sale.key, 3) > 0 then line.quantity / 2000 * 1000
        else line.quantity
    end as quantity
) as part
where sale.kind = 'return';

update demo.sale set id = numbered.id
from (select key, row_number() over (order by shipped_at, key) as id from demo.sale) as numbered
where numbered.key = sale.key;
analyze demo.sale, demo.sale_line;
