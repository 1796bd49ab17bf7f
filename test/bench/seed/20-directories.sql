-- Directories. Customers are the first of an organization's counterparties, suppliers the last.

select bench.prepare();

insert into employees (organization_id, id, full_name, dismissed_on)
select
    organizations.id,
    bench.id(organizations.o, k),
    (array['Иванов', 'Смирнов', 'Кузнецов', 'Попов', 'Соколов', 'Лебедев', 'Козлов', 'Новиков', 'Морозов', 'Петров'])[
        1 + bench.pick(21, bench.id(organizations.o, k), 10)
    ] || ' ' || (array['Александр', 'Дмитрий', 'Максим', 'Сергей', 'Андрей', 'Алексей', 'Артём', 'Илья'])[
        1 + bench.pick(22, bench.id(organizations.o, k), 8)
    ] || ' ' || k,
    case when k % 9 = 0 then bench.today() - 30 end
from bench.organizations
cross join lateral generate_series(1, organizations.employees) as k
order by 2;

insert into counterparties (organization_id, id, name, inn)
select
    organizations.id,
    bench.id(organizations.o, k),
    (array['ООО', 'ООО', 'ООО', 'АО', 'ИП', 'Филиал ООО'])[1 + bench.pick(23, bench.id(organizations.o, k), 6)]
    || ' «' || (array[
        'Альфа', 'Вектор', 'Гранит', 'Дельта', 'Заря', 'Импульс', 'Лидер', 'Маяк', 'Нева', 'Орион', 'Радуга', 'Сатурн',
        'Титан', 'Эталон', 'Янтарь "Опт"', 'Каскад'
    ])[1 + bench.pick(24, bench.id(organizations.o, k), 16)] || '-' || k || '»',
    lpad(bench.pick(25, bench.id(organizations.o, k), 1000000000)::text, 10, '7')
from bench.organizations
cross join lateral generate_series(1, organizations.customers + organizations.suppliers) as k
order by 2;

insert into accounts (organization_id, id, name, kind, opening_balance_kopecks)
select
    organizations.id,
    bench.id(organizations.o, account.k),
    account.name,
    account.kind,
    500000000 + account.k * 10000000
from bench.organizations
cross join (
    values (1, 'Расчётный счёт', 'bank'), (2, 'Касса', 'cash'), (3, 'Карта', 'card'), (4, 'Резервный счёт', 'bank')
) as account (k, name, kind)
order by 2;

-- 1 to 5 income, 6 to 9 cost of goods, 10 to 24 operating, 25 and 26 purchases, 27 and 28 investing, 29 and 30 financing.
insert into categories (organization_id, id, parent_id, name, section)
select
    organizations.id,
    bench.id(organizations.o, category.k),
    bench.id(organizations.o, category.parent),
    category.name,
    category.section
from bench.organizations
cross join (
    values
        (1, null, 'Выручка', 'income'),
        (2, 1, 'Оптовые продажи', 'income'),
        (3, 1, 'Розничные продажи', 'income'),
        (4, 1, 'Услуги', 'income'),
        (5, null, 'Прочие доходы', 'income'),
        (6, null, 'Прямые затраты', 'cost_of_goods'),
        (7, 6, 'Упаковка', 'cost_of_goods'),
        (8, 6, 'Доставка покупателям', 'cost_of_goods'),
        (9, 6, 'Подрядчики', 'cost_of_goods'),
        (10, null, 'Персонал', 'operating'),
        (11, 10, 'Зарплата', 'operating'),
        (12, 10, 'Страховые взносы', 'operating'),
        (13, 10, 'Обучение', 'operating'),
        (14, null, 'Помещения', 'operating'),
        (15, 14, 'Аренда', 'operating'),
        (16, 14, 'Коммунальные услуги', 'operating'),
        (17, 14, 'Ремонт и уборка', 'operating'),
        (18, null, 'Продвижение', 'operating'),
        (19, 18, 'Реклама в интернете', 'operating'),
        (20, 18, 'Выставки', 'operating'),
        (21, null, 'Офис и связь', 'operating'),
        (22, null, 'Транспорт', 'operating'),
        (23, null, 'Налоги и банк', 'operating'),
        (24, 23, 'Комиссии банка', 'operating'),
        (25, null, 'Закупки', 'goods_purchase'),
        (26, 25, 'Товары для продажи', 'goods_purchase'),
        (27, null, 'Вложения', 'investing'),
        (28, 27, 'Оборудование', 'investing'),
        (29, null, 'Финансы', 'financing'),
        (30, 29, 'Кредиты и займы', 'financing')
) as category (k, parent, name, section)
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
    (array['Основной склад', 'Магазин', 'Склад хранения'])[k]
from bench.organizations
cross join lateral generate_series(1, organizations.warehouses) as k
order by 2;

insert into deal_stages (organization_id, id, name, position, kind)
select
    organizations.id,
    bench.id(organizations.o, stage.k),
    stage.name,
    stage.k * 10,
    stage.kind
from bench.organizations
cross join (
    values
        (1, 'Новая заявка', 'open'), (2, 'Предложение', 'open'), (3, 'Переговоры', 'open'), (4, 'Договор', 'open'),
        (5, 'Выиграна', 'won'), (6, 'Отказ', 'lost')
) as stage (k, name, kind)
order by 2;

insert into deal_sources (organization_id, id, name)
select
    organizations.id,
    bench.id(organizations.o, k),
    (array['Сайт', 'Звонок', 'Рекомендация', 'Выставка', 'Соцсети', 'Маркетплейс'])[k]
from bench.organizations
cross join generate_series(1, 6) as k
order by 2;

insert into request_channels (organization_id, id, name, promise_minutes)
select
    organizations.id,
    bench.id(organizations.o, channel.k),
    channel.name,
    channel.promise_minutes
from bench.organizations
cross join (
    values (1, 'Телефон', 15), (2, 'Сайт', 60), (3, 'Мессенджер', 30), (4, 'Почта', 240), (5, 'Отзывы', null)
) as channel (k, name, promise_minutes)
order by 2;

-- The last tenth of an organization's products are services.
insert into products (
    organization_id, id, sku, name, unit, kind, minimum_quantity, purchase_price_kopecks, supplier_id
)
select
    organizations.id,
    bench.id(organizations.o, k),
    'A-' || lpad(k::text, 5, '0'),
    (array['Кофе в зёрнах', 'Кабель медный', 'Плитка', 'Бумага', 'Фильтр масляный', 'Краска', 'Ящик', 'Лампа', 'Доска'])[
        1 + bench.pick(26, bench.id(organizations.o, k), 9)
    ] || ' № ' || k,
    case when k % 7 = 0 then 'кг' else 'шт' end,
    case when k > organizations.goods then 'service' else 'goods' end,
    -- one in eight wants more than there ever is
    case when k <= organizations.goods and k % 8 < 4 then case k % 8 when 0 then 1000000 else 5 end end,
    bench.unit_cost_kopecks(bench.id(organizations.o, k)),
    bench.id(organizations.o, organizations.customers + 1 + bench.pick(28, bench.id(organizations.o, k), organizations.suppliers))
from bench.organizations
cross join lateral generate_series(1, organizations.goods + organizations.goods / 10) as k
order by 2;
