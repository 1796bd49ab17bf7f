-- Forty organizations with their keys. The median organization has size 1, the large one 51; size 0 has no rows.

select demo.prepare();

create unlogged table demo.organization (
    o integer primary key,
    id uuid not null,
    name text not null,
    tier text not null,
    zone text not null,
    size float8 not null,
    -- line of business: 1 coffee and tea, 2 building materials, 3 electronics, 4 office, 5 car parts, 6 flowers, gifts
    profile integer not null,
    -- share of sales to anonymous buyers
    retail float8 not null,
    start_on date not null,
    goods integer,
    services integer,
    customers integer,
    suppliers integer,
    employees integer,
    projects integer,
    warehouses integer
);

insert into demo.organization (o, id, name, tier, zone, size, profile, retail, start_on)
select
    seed.o,
    format('5d0a0000-0000-4000-8000-%s', lpad(seed.o::text, 12, '0'))::uuid,
    seed.name,
    seed.tier,
    seed.zone,
    seed.size,
    seed.profile,
    seed.retail,
    (demo.first_day() + make_interval(months => seed.months))::date
from (
    values
        (1, 'ООО «Северный ветер»', 'business', 'Europe/Moscow', 1.0, 1, 0.35, 0),
        (2, 'ООО «Тихий океан»', 'business', 'Asia/Vladivostok', 1.1, 5, 0.40, 0),
        (3, 'ООО «Новое дело»', 'business', 'Europe/Moscow', 0, 4, 0, 0),
        (4, 'ООО «Торговый дом „Меридиан“»', 'enterprise', 'Europe/Moscow', 51, 2, 0.30, 0),
        (5, 'ИП Лебедева Анна Викторовна', 'start', 'Europe/Moscow', 0.6, 6, 0.80, 0),
        (6, 'ООО «Балтика Сервис»', 'business', 'Europe/Kaliningrad', 0.9, 3, 0.45, 0),
        (7, 'ООО «Уральские материалы»', 'enterprise', 'Asia/Yekaterinburg', 1.8, 2, 0.25, 0),
        (8, 'ООО «Обь-Снаб»', 'business', 'Asia/Novosibirsk', 1.3, 4, 0.20, 0),
        (9, 'ИП Кузнецов Илья Олегович', 'start', 'Europe/Moscow', 0.4, 1, 0.70, 0),
        (10, 'ООО «АвтоЛига»', 'business', 'Europe/Moscow', 1.6, 5, 0.50, 0),
        (11, 'ООО «Букет и Ко»', 'start', 'Europe/Moscow', 0.7, 6, 0.75, 7),
        (12, 'ООО «Офис-Плюс»', 'business', 'Europe/Moscow', 1.4, 4, 0.15, 0),
        (13, 'ИП Соколова Мария Андреевна', 'start', 'Europe/Moscow', 0.3, 6, 0.85, 14),
        (14, 'ООО «Кровля и фасад»', 'business', 'Europe/Moscow', 2.0, 2, 0.20, 0),
        (15, 'ООО «Техноточка»', 'business', 'Europe/Moscow', 1.2, 3, 0.55, 0),
        (16, 'ООО «Чайная дорога»', 'start', 'Europe/Moscow', 0.8, 1, 0.60, 0),
        (17, 'АО «Стройкомплект»', 'enterprise', 'Europe/Moscow', 2.5, 2, 0.15, 0),
        (18, 'ИП Морозов Павел Сергеевич', 'start', 'Europe/Moscow', 0.5, 5, 0.65, 3),
        (19, 'ООО «Ладога Трейд»', 'business', 'Europe/Moscow', 1.0, 4, 0.25, 0),
        (20, 'ООО «Кофейный двор»', 'business', 'Europe/Moscow', 1.5, 1, 0.40, 0),
        (21, 'ИП Волкова Екатерина Игоревна', 'start', 'Europe/Moscow', 0.35, 6, 0.80, 20),
        (22, 'ООО «Мастер Электро»', 'business', 'Europe/Moscow', 1.1, 3, 0.35, 0),
        (23, 'ООО «Деталь-Сервис»', 'business', 'Asia/Yekaterinburg', 0.9, 5, 0.50, 0),
        (24, 'ООО «Белый парус»', 'start', 'Europe/Kaliningrad', 0.6, 6, 0.60, 0),
        (25, 'ООО «Сибирский кирпич»', 'business', 'Asia/Novosibirsk', 1.7, 2, 0.10, 0),
        (26, 'ИП Зайцев Роман Алексеевич', 'start', 'Europe/Moscow', 0.45, 3, 0.70, 0),
        (27, 'ООО «Печатный двор»', 'business', 'Europe/Moscow', 1.2, 4, 0.20, 5),
        (28, 'ООО «Зелёный угол»', 'start', 'Europe/Moscow', 0.7, 6, 0.65, 0),
        (29, 'ООО «Гараж 24»', 'business', 'Europe/Moscow', 1.3, 5, 0.55, 0),
        (30, 'ООО «Арабика Групп»', 'enterprise', 'Europe/Moscow', 2.2, 1, 0.20, 0),
        (31, 'ИП Орлов Денис Николаевич', 'start', 'Europe/Moscow', 0.5, 4, 0.45, 9),
        (32, 'ООО «Пиксель»', 'business', 'Europe/Moscow', 1.1, 3, 0.50, 0),
        (33, 'ООО «Дом и дача»', 'business', 'Europe/Moscow', 1.4, 2, 0.45, 0),
        (34, 'ИП Павлова Ольга Дмитриевна', 'start', 'Europe/Moscow', 0.4, 1, 0.75, 0),
        (35, 'ООО «Колесо»', 'start', 'Europe/Moscow', 0.8, 5, 0.60, 0),
        (36, 'ООО «Праздник каждый день»', 'start', 'Europe/Moscow', 0.75, 6, 0.70, 0),
        (37, 'ООО «Формат А4»', 'business', 'Europe/Moscow', 1.2, 4, 0.15, 0),
        (38, 'ООО «Точка сборки»', 'start', 'Europe/Moscow', 0.85, 3, 0.45, 12),
        (39, 'ООО «Волга-Снаб»', 'enterprise', 'Europe/Moscow', 1.9, 2, 0.20, 0),
        (40, 'ИП Фёдоров Кирилл Максимович', 'start', 'Europe/Moscow', 0.55, 1, 0.65, 0)
) as seed (o, name, tier, zone, size, profile, retail, months);

-- Reference tables grow more slowly than facts.
update demo.organization
set
    goods = case when size >= 10 then 900 else 36 + (24 * least(size, 2))::integer end,
    services = case when size >= 10 then 24 else 6 end,
    customers = case when size >= 10 then 4000 else 20 + (100 * size)::integer end,
    suppliers = case when size >= 10 then 200 else 4 + (4 * least(size, 2))::integer end,
    employees = case when size >= 10 then 140 else 2 + (4 * size)::integer end,
    projects = case when size >= 10 then 40 when size >= 0.8 then 5 else 0 end,
    warehouses = case when size >= 1.5 then 3 when size >= 0.8 then 2 else 1 end
where size > 0;
analyze demo.organization;

insert into organizations (id, name, tier, time_zone, created_at)
select
    organization.id,
    organization.name,
    organization.tier,
    organization.zone,
    demo.at(organization.start_on, 36000 + organization.o * 60, organization.zone)
from demo.organization
order by 5, organization.o;

-- The keys in the README; others look random but are fixed too.
insert into api_keys (organization_id, key_sha256, created_at, revoked_at, reports, parameters)
select
    organization.id,
    sha256(convert_to(keys.key, 'UTF8')),
    demo.at(organization.start_on, 43200 + organization.o * 60, organization.zone),
    case when keys.key = 'sk_demo_revoked' then demo.cutoff() - interval '30 days' end,
    case when keys.key = 'sk_demo_warehouse' then array['report:stock_balance', 'report:stock_turnover'] end,
    -- the second warehouse, the shop: 12-directories.sql
    case when keys.key = 'sk_demo_warehouse' then jsonb_build_object('warehouse', demo.id(organization.o, 2)) end
from demo.organization
cross join lateral (
    select case organization.o
        when 1 then 'sk_demo_business'
        when 2 then 'sk_demo_vladivostok'
        when 3 then 'sk_demo_empty'
        when 4 then 'sk_demo_large'
        when 5 then 'sk_demo_start'
        else 'sk_' || md5('svodka demo ' || organization.o)
    end as key
    union all
    select unnest(array['sk_demo_revoked', 'sk_demo_warehouse'])
    where organization.o = 1
) as keys
order by 3, keys.key collate "C";
