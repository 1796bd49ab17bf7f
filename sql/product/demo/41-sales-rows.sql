-- Inserts sales, lines, deals and visits into the product's tables in chronological order.

select demo.prepare();

insert into sales (organization_id, id, kind, status, shipped_at, counterparty_id, deal_id, project_id)
select
    organization.id,
    sale.id,
    sale.kind,
    sale.status,
    -- half of the drafts have no day yet
    case when sale.status <> 'draft' or demo.pick(251, sale.key, 2) = 0 then sale.shipped_at end,
    demo.id(sale.o, sale.counterparty),
    sale.deal_id,
    demo.id(sale.o, sale.project)
from demo.sale
join demo.organization on organization.o = sale.o
order by sale.id;

create unlogged table demo.posted_line (
    id bigint not null,
    o integer not null,
    sale_id bigint not null,
    kind text not null,
    at timestamptz not null,
    day date not null,
    product integer not null,
    warehouse integer not null,
    quantity bigint not null
);

with numbered as (
    select
        row_number() over (order by sale.id, line.line) as id,
        line.o,
        line.product,
        line.quantity,
        line.amount_kopecks,
        sale.id as sale_id,
        sale.kind,
        sale.status,
        sale.shipped_at,
        sale.day,
        sale.warehouse
    from demo.sale_line as line
    join demo.sale on sale.key = line.sale_key
),
kept as (
    insert into sale_lines (organization_id, id, sale_id, product_id, quantity, amount_kopecks)
    select
        organization.id,
        numbered.id,
        numbered.sale_id,
        demo.id(numbered.o, numbered.product),
        numbered.quantity / 1000.0,
        numbered.amount_kopecks
    from numbered
    join demo.organization on organization.o = numbered.o
    order by numbered.id
)
insert into demo.posted_line (id, o, sale_id, kind, at, day, product, warehouse, quantity)
select id, o, sale_id, kind, shipped_at, day, product, warehouse, quantity
from numbered
where status = 'posted';
analyze demo.posted_line;

create unlogged table demo.sale_amount as
select
    sale.id,
    sale.key,
    sale.o,
    sale.day,
    sale.kind,
    sale.counterparty,
    sale.project,
    sum(line.amount_kopecks)::bigint as amount_kopecks,
    -- a document is for services if its most expensive line is a service
    (array_agg(line.product order by line.amount_kopecks desc, line.line))[1] > organization.goods as service
from demo.sale
join demo.sale_line as line on line.sale_key = sale.key
join demo.organization on organization.o = sale.o
where sale.status = 'posted'
group by sale.id, sale.key, sale.o, sale.day, sale.kind, sale.counterparty, sale.project, organization.goods;
analyze demo.sale_amount;

insert into deals (
    organization_id, id, title, amount_kopecks, stage_id, source_id, manager_id, counterparty_id,
    created_at, won_at, lost_at, lost_reason, updated_at
)
select
    organization.id,
    deal.id,
    demo.one_of(261, deal.key, array['Поставка товаров', 'Заказ с сайта', 'Договор на год', 'Комплект «под ключ»',
        'Пробная партия', 'Срочный заказ 🔥', 'Тендер, лот 3', 'Дозакупка', 'Заказ "как в прошлый раз"',
        'Подарки к празднику', 'Оснащение офиса', 'Расширение сотрудничества'])
        || case when demo.pick(262, deal.key, 3) > 0 then ' № ' || deal.id else '' end,
    coalesce(
        sold.amount_kopecks,
        1000000 + (demo.u(263, deal.key) * demo.u(264, deal.key) * demo.u(269, deal.key) * 60000000)::bigint / 10000 * 10000
    ),
    demo.id(deal.o, last_visit.stage),
    case when demo.u(265, deal.key) < 0.95 then demo.id(deal.o, 1 + demo.pick(266, deal.key, 7)) end,
    case
        when demo.u(267, deal.key) < 0.95
            then demo.id(deal.o, 1 + floor((organization.employees + 1) / 2 * demo.u(268, deal.key))::integer)
    end,
    demo.id(deal.o, deal.counterparty),
    deal.created_at,
    case when last_visit.stage = 6 then last_visit.entered_at end,
    case when last_visit.stage = 7 then last_visit.entered_at end,
    case
        when last_visit.stage = 7 and demo.pick(270, deal.key, 10) > 0
            then demo.one_of(271, deal.key, array['Дорого', 'Выбрали другого поставщика', 'Нет в наличии',
                'Отложили на следующий год', 'Не отвечает', 'Не подошли сроки'])
    end,
    last_visit.entered_at
from demo.deal
join demo.organization on organization.o = deal.o
join (
    select distinct on (deal_id) deal_id, stage, entered_at
    from demo.visit
    order by deal_id, place desc
) as last_visit on last_visit.deal_id = deal.id
left join (
    select sale.deal_id, sale_amount.amount_kopecks
    from demo.sale
    join demo.sale_amount on sale_amount.id = sale.id
    where sale.deal_id is not null
) as sold on sold.deal_id = deal.id
order by deal.id;

insert into deal_stage_visits (organization_id, id, deal_id, stage_id, entered_at, left_at, to_stage_id)
select
    organization.id,
    row_number() over (order by visit.entered_at, visit.deal_id, visit.place),
    visit.deal_id,
    demo.id(visit.o, visit.stage),
    visit.entered_at,
    visit.left_at,
    demo.id(visit.o, visit.to_stage)
from demo.visit
join demo.organization on organization.o = visit.o
order by 2;
