-- Directories. Customers are the first of an organization's counterparties, suppliers the last.

select bench.prepare();

insert into employees (organization_id, id, full_name, dismissed_on)
select
    organizations.id,
    bench.id(organizations.o, k),
    'Сотрудник № ' || k,
    case when k % 9 = 0 then bench.today() - 30 end
from bench.organizations
cross join lateral generate_series(1, organizations.employees) as k
order by 2;

insert into counterparties (organization_id, id, name, inn)
select
    organizations.id,
    bench.id(organizations.o, k),
    'ООО «Контрагент-' || k || case when k % 16 = 0 then ' "Опт"' else '' end || '»',
    lpad(bench.pick(25, bench.id(organizations.o, k), 1000000000)::text, 10, '7')
from bench.organizations
cross join lateral generate_series(1, organizations.customers + organizations.suppliers) as k
order by 2;

insert into accounts (organization_id, id, name, kind, opening_balance_kopecks)
select
    organizations.id,
    bench.id(organizations.o, k),
    'Счёт № ' || k,
    (array['bank', 'cash', 'card', 'bank'])[k],
    500000000 + k * 10000000
from bench.organizations
cross join generate_series(1, 4) as k
order by 2;

-- 1 to 5 income, 6 to 9 cost of goods, 10 to 24 operating, 25 and 26 purchases, 27 and 28 investing, 29 and 30 financing.
insert into categories (organization_id, id, parent_id, name, section)
select
    organizations.id,
    bench.id(organizations.o, k),
    bench.id(organizations.o, (array[
        null, 1, 1, 1, null, null, 6, 6, 6, null, 10, 10, 10, null, 14, 14, 14, null, 18, 18, null, null, null, 23, null, 25,
        null, 27, null, 29
    ])[k]),
    'Статья доходов и расходов № ' || k,
    (array['income', 'cost_of_goods', 'operating', 'goods_purchase', 'investing', 'financing'])[
        width_bucket(k, array[1, 6, 10, 25, 27, 29])
    ]
from bench.organizations
cross join generate_series(1, 30) as k
order by 2;

insert into projects (organization_id, id, name, archived_at)
select
    organizations.id,
    bench.id(organizations.o, k),
    'Проект № ' || k,
    case when k % 5 = 4 then bench.cutoff() - interval '100 days' end
from bench.organizations
cross join lateral generate_series(1, organizations.projects) as k
order by 2;

insert into warehouses (organization_id, id, name)
select
    organizations.id,
    bench.id(organizations.o, k),
    'Склад № ' || k
from bench.organizations
cross join lateral generate_series(1, organizations.warehouses) as k
order by 2;

insert into deal_stages (organization_id, id, name, position, kind)
select
    organizations.id,
    bench.id(organizations.o, k),
    'Этап № ' || k,
    k * 10,
    case k when 5 then 'won' when 6 then 'lost' else 'open' end
from bench.organizations
cross join generate_series(1, 6) as k
order by 2;

insert into deal_sources (organization_id, id, name)
select
    organizations.id,
    bench.id(organizations.o, k),
    'Источник № ' || k
from bench.organizations
cross join generate_series(1, 6) as k
order by 2;

insert into request_channels (organization_id, id, name, promise_minutes)
select
    organizations.id,
    bench.id(organizations.o, k),
    'Канал № ' || k,
    (array[15, 60, 30, 240, null])[k]
from bench.organizations
cross join generate_series(1, 5) as k
order by 2;

-- The last tenth of an organization's products are services.
insert into products (
    organization_id, id, sku, name, unit, kind, minimum_quantity, purchase_price_kopecks, supplier_id
)
select
    organizations.id,
    bench.id(organizations.o, k),
    'A-' || lpad(k::text, 5, '0'),
    (array['Кофе в зёрнах', 'Кабель медный', 'Фильтр масляный'])[1 + k % 3] || ' № ' || k,
    case when k % 7 = 0 then 'кг' else 'шт' end,
    case when k > organizations.goods then 'service' else 'goods' end,
    -- one in eight has a minimum above any stock
    case when k <= organizations.goods and k % 8 < 4 then case k % 8 when 0 then 1000000 else 5 end end,
    bench.unit_cost_kopecks(bench.id(organizations.o, k)),
    bench.id(organizations.o, organizations.customers + 1 + bench.pick(28, bench.id(organizations.o, k), organizations.suppliers))
from bench.organizations
cross join lateral generate_series(1, organizations.goods + organizations.goods / 10) as k
order by 2;
