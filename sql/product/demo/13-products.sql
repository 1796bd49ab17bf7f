-- What each organization sells: goods, then services. File 50 fills the table products itself, when the demand from
-- which minimum quantities are computed is known.

select demo.prepare();

-- name : unit : purchase price in roubles
create unlogged table demo.assortment (profile integer, k integer, name text, unit text, price_kopecks bigint);
insert into demo.assortment (profile, k, name, unit, price_kopecks)
select
    profile.number,
    item.k,
    split_part(btrim(item.text, E' \n'), ':', 1),
    split_part(item.text, ':', 2),
    split_part(item.text, ':', 3)::bigint * 100
from (
    values
        (1, '
            Кофе зерновой «Эфиопия»:кг:1450;Кофе зерновой «Бразилия»:кг:1120;Кофе молотый:упак:390;
            Чай чёрный листовой:кг:980;Чай зелёный «Сенча»:кг:1240;Чай травяной:кг:760;
            Сироп карамельный:л:520;Какао-порошок:кг:640;Чашка керамическая, 200 мл:шт:270;
            Турка медная:шт:1850;Фильтры бумажные:упак:140;Шоколад горький:кг:890
        '),
        (2, '
            Цемент М500:упак:410;Кирпич облицовочный:шт:28;Гипсокартон 12,5 мм:шт:390;
            Штукатурка гипсовая:упак:430;Плитка керамическая:м²:780;Краска фасадная:л:360;
            Утеплитель минеральный:м²:215;Профиль потолочный:м:74;Саморезы по дереву:кг:240;
            Клей для плитки:упак:320;Черепица металлическая:м²:610;Песок сухой:кг:6
        '),
        (3, '
            Смартфон:шт:14500;Ноутбук 15,6":шт:42000;Наушники беспроводные:шт:2100;
            Клавиатура:шт:1150;Монитор 24":шт:9800;Кабель USB-C:м:190;
            Зарядное устройство:шт:720;Роутер:шт:2600;Внешний диск 1 ТБ:шт:4300;
            Колонка портативная:шт:1900;Чехол для телефона:шт:240;Батарейки AA:упак:160
        '),
        (4, '
            Бумага A4, 500 л.:упак:265;Ручка шариковая:шт:14;Папка-регистратор:шт:155;
            Стул офисный:шт:3900;Картридж лазерный:шт:1750;Степлер:шт:290;
            Блокнот A5:шт:92;Лампа настольная:шт:1180;Скотч упаковочный:шт:61;
            Доска магнитная:шт:2400;Маркеры, набор 4 цв.:упак:170;Плёнка для ламинирования:м:38
        '),
        (5, '
            Масло моторное 5W-30:л:540;Фильтр масляный:шт:310;Колодки тормозные:упак:1650;
            Свеча зажигания:шт:240;Аккумулятор 60 А·ч:шт:5400;Щётка стеклоочистителя:шт:420;
            Антифриз:л:210;Шина летняя R16:шт:4700;Лампа H7:шт:330;
            Ремень ГРМ:шт:1280;Шланг топливный:м:145;Смазка литиевая:кг:480
        '),
        (6, '
            Роза 60 см:шт:85;Тюльпан:шт:42;Хризантема:шт:78;
            Букет «Весенний»:шт:1250;Корзина плетёная:шт:690;Лента атласная:м:18;
            Открытка:шт:35;Ваза стеклянная:шт:880;Свеча ароматическая:шт:310;
            Игрушка мягкая:шт:740;Конфеты «Ассорти»:кг:620;Шар воздушный 🎈:шт:55
        ')
) as profile (number, items)
cross join lateral string_to_table(profile.items, ';') with ordinality as item (text, k);

create unlogged table demo.product (
    o integer not null,
    k integer not null,
    key bigint not null,
    kind text not null,
    sku text,
    name text not null,
    unit text not null,
    -- at first_day; both rise by 7 percent a year
    cost_kopecks bigint not null,
    price_kopecks bigint not null,
    supplier integer,
    -- sold on days in [sold_from, sold_until); never sold: a new product that has not arrived yet
    sold_from date not null,
    sold_until date not null,
    primary key (o, k)
);

insert into demo.product (o, k, key, kind, sku, name, unit, cost_kopecks, price_kopecks, supplier, sold_from, sold_until)
select
    organization.o,
    numbers.k,
    seed.key,
    'goods',
    case when demo.pick(41, seed.key, 25) > 0 then format('%s-%s', chr(64 + organization.profile), lpad((numbers.k * 7 + 1000)::text, 5, '0')) end,
    assortment.name
        || (array['', ', премиум', ', эконом', ', люкс', ', набор', ', оптовая упаковка'])[1 + (numbers.k - 1) / 12 % 6]
        || case when numbers.k > 72 then ', серия ' || (numbers.k - 1) / 72 + 1 else '' end,
    assortment.unit,
    seed.cost_kopecks,
    (seed.cost_kopecks * (1.48 + 0.35 * demo.u(43, seed.key)))::bigint,
    organization.customers + 1 + demo.pick(44, seed.key, organization.suppliers),
    case
        when seed.fate = 0 then 'infinity'::date
        when seed.fate < 4 then organization.start_on + demo.pick(45, seed.key, 400)
        else organization.start_on
    end,
    case when seed.fate in (4, 5, 6) then demo.today() - 20 - demo.pick(46, seed.key, 400) else 'infinity'::date end
from demo.organization
cross join lateral generate_series(1, organization.goods) as numbers (k)
join demo.assortment
    on assortment.profile = organization.profile
    and assortment.k = (numbers.k - 1) % 12 + 1
cross join lateral (
    select
        organization.o * 10000 + numbers.k as key,
        greatest(100, (assortment.price_kopecks * (0.85 + 0.3 * demo.u(42, organization.o * 10000 + numbers.k)))::bigint) as cost_kopecks,
        -- the first third of an assortment is always sold
        case when numbers.k * 3 > organization.goods then demo.pick(47, organization.o * 10000 + numbers.k, 30) else 29 end as fate
) as seed;

insert into demo.product (o, k, key, kind, sku, name, unit, cost_kopecks, price_kopecks, supplier, sold_from, sold_until)
select
    organization.o,
    organization.goods + k,
    organization.o * 10000 + organization.goods + k,
    'service',
    null,
    (array['Доставка по городу', 'Консультация специалиста', 'Монтаж и настройка', 'Гарантийное обслуживание',
        'Упаковка «под ключ»', 'Выезд замерщика'])[(k - 1) % 6 + 1]
        || case when k > 6 then ', тариф ' || (k - 1) / 6 + 1 else '' end,
    (array['шт', 'час', 'час', 'мес', 'шт', 'шт'])[(k - 1) % 6 + 1],
    0,
    (array[60000, 180000, 240000, 350000, 40000, 150000])[(k - 1) % 6 + 1],
    null,
    organization.start_on,
    'infinity'
from demo.organization
cross join lateral generate_series(1, organization.services) as k;
analyze demo.product;
