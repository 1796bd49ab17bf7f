-- Categories, projects, warehouses, the funnel, sources and channels. Accounts are inserted in file 69, because their
-- opening balances are chosen so that no account goes below zero.

select demo.prepare();

create unlogged table demo.category (k integer primary key, parent integer, name text not null, section text not null);
insert into demo.category (k, parent, name, section)
values
    (1, null, 'Выручка', 'income'),
    (2, 1, 'Оптовые продажи', 'income'),
    (3, 1, 'Розничные продажи', 'income'),
    (4, 1, 'Услуги', 'income'),
    (5, null, 'Прочие доходы', 'income'),
    (6, null, 'Прямые затраты', 'cost_of_goods'),
    (7, 6, 'Упаковка и комплектация', 'cost_of_goods'),
    (8, 6, 'Доставка покупателям', 'cost_of_goods'),
    (9, 6, 'Подрядчики', 'cost_of_goods'),
    (10, null, 'Персонал', 'operating'),
    (11, 10, 'Зарплата', 'operating'),
    (12, 10, 'Страховые взносы', 'operating'),
    (13, 10, 'Обучение и подбор', 'operating'),
    (14, null, 'Помещения', 'operating'),
    (15, 14, 'Аренда', 'operating'),
    (16, 14, 'Коммунальные услуги', 'operating'),
    (17, 14, 'Ремонт и уборка', 'operating'),
    (18, null, 'Продвижение', 'operating'),
    (19, 18, 'Реклама в интернете', 'operating'),
    (20, 18, 'Печать, сувениры, выставки', 'operating'),
    (21, null, 'Офис и связь', 'operating'),
    (22, 21, 'Интернет и телефон', 'operating'),
    (23, 21, 'Канцтовары', 'operating'),
    (24, 21, 'Программы и подписки', 'operating'),
    (25, null, 'Транспорт', 'operating'),
    (26, 25, 'Топливо', 'operating'),
    (27, 25, 'Обслуживание машин', 'operating'),
    (28, null, 'Налоги и банк', 'operating'),
    (29, 28, 'Налог по УСН', 'operating'),
    (30, 28, 'Комиссии банка', 'operating'),
    (31, 28, 'Проценты по кредитам', 'operating'),
    (32, null, 'Командировки', 'operating'),
    (33, null, 'Закупки', 'goods_purchase'),
    (34, 33, 'Товары для продажи', 'goods_purchase'),
    (35, null, 'Вложения', 'investing'),
    (36, 35, 'Оборудование', 'investing'),
    (37, 35, 'Мебель и техника', 'investing'),
    (38, null, 'Финансы', 'financing'),
    (39, 38, 'Кредиты и займы', 'financing'),
    (40, 38, 'Взносы собственника', 'financing'),
    (41, 38, 'Дивиденды', 'financing'),
    (42, 38, 'Изъятия собственника', 'financing');

insert into categories (organization_id, id, parent_id, name, section)
select
    organization.id,
    demo.id(organization.o, category.k),
    demo.id(organization.o, category.parent),
    category.name,
    category.section
from demo.organization
cross join demo.category
where organization.size > 0
order by 2;

insert into projects (organization_id, id, name, archived_at)
select
    organization.id,
    demo.id(organization.o, k),
    case
        when k <= 5 then
            (array['Интернет-магазин', 'Опт', 'Тендеры и госзаказ', 'Маркетплейсы', 'Магазин «На Садовой», 5'])[k]
        else 'Объект № ' || (k + 100)
    end,
    case
        when k % 5 = 4 and demo.today() > organization.start_on + 400
            then demo.at(organization.start_on + 330, 61200, organization.zone)
    end
from demo.organization
cross join lateral generate_series(1, organization.projects) as k
order by 2;

insert into warehouses (organization_id, id, name)
select
    organization.id,
    demo.id(organization.o, k),
    (array['Основной склад', 'Магазин', 'Склад ответственного хранения'])[k]
from demo.organization
cross join lateral generate_series(1, organization.warehouses) as k
order by 2;

insert into deal_stages (organization_id, id, name, position, kind)
select
    organization.id,
    demo.id(organization.o, stage.k),
    stage.name,
    stage.k * 10,
    stage.kind
from demo.organization
cross join (
    values
        (1, 'Новая заявка', 'open'),
        (2, 'Выявление потребности', 'open'),
        (3, 'Коммерческое предложение', 'open'),
        (4, 'Переговоры', 'open'),
        (5, 'Договор и счёт', 'open'),
        (6, 'Успешно завершена', 'won'),
        (7, 'Отказ', 'lost')
) as stage (k, name, kind)
where organization.size > 0
order by 2;

insert into deal_sources (organization_id, id, name)
select
    organization.id,
    demo.id(organization.o, k),
    (array['Сайт', 'Звонок', 'Рекомендация', 'Выставка', 'Соцсети', 'Маркетплейс', 'Повторная продажа'])[k]
from demo.organization
cross join generate_series(1, 7) as k
where organization.size > 0
order by 2;

insert into request_channels (organization_id, id, name, promise_minutes)
select
    organization.id,
    demo.id(organization.o, channel.k),
    channel.name,
    channel.promise_minutes
from demo.organization
cross join (
    values
        (1, 'Телефон', 15),
        (2, 'Сайт', 60),
        (3, 'Мессенджер', 30),
        (4, 'Эл. почта', 240),
        (5, 'Отзывы на картах', null)
) as channel (k, name, promise_minutes)
where organization.size > 0
order by 2;
