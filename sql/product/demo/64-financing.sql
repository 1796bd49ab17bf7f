-- Cash flows that are not profit: loans, the owner's money, dividends, equipment; also interest, and the old account.

select demo.prepare();

insert into demo.operation (
    source, key, part, o, kind, operation_date, paid_on, amount_kopecks, account, category, counterparty, description
)
select
    8,
    month.key * 100 + item.k,
    1,
    month.o,
    item.kind,
    month.month + item.day,
    month.month + item.day,
    greatest(100, (volume.month_revenue * item.share * (0.8 + 0.4 * demo.u(461, month.key * 100 + item.k)))::bigint / 1000) * 1000,
    1,
    item.category,
    case when item.category in (36, 37) then organization.customers + 1 end,
    item.description
from demo.month
join demo.organization on organization.o = month.o
join demo.volume on volume.o = month.o
cross join lateral (
    select
        (extract(year from month.month) - extract(year from organization.start_on))::integer * 12
            + (extract(month from month.month) - extract(month from organization.start_on))::integer as n
) as since
cross join lateral (
    values
        (1, 'income', 2, 0.5, 40, 'Взнос собственника на развитие', since.n = 0),
        -- a loan of two months' revenue in the sixth month, paid back in two years; every third organization has one
        (2, 'income', 11, 1.5, 39, 'Кредит по договору, транш', since.n = 5 and organization.o % 3 = 1),
        (3, 'expense', 14, 0.0625, 39, 'Погашение кредита', since.n between 6 and 29 and organization.o % 3 = 1),
        (4, 'expense', 14, 0.006, 31, 'Проценты по кредиту', since.n between 6 and 29 and organization.o % 3 = 1),
        (5, 'expense', 19, 0.06, 41, 'Дивиденды за квартал', since.n > 3 and since.n % 3 = 0 and organization.name not like 'ИП%'),
        (6, 'expense', 19, 0.03, 42, 'Личные нужды предпринимателя', since.n > 1 and organization.name like 'ИП%'),
        (7, 'expense', 9, 0.12, 36, 'Оборудование для склада', since.n % 9 = 2),
        (8, 'expense', 21, 0.03, 37, 'Мебель, ноутбук', since.n % 7 = 4),
        (9, 'income', 16, 0.04, 36, 'Продажа старого оборудования', since.n = 13),
        (10, 'income', 27, 0.0008, 5, 'Проценты на остаток', true),
        (11, 'income', 7, 0.01, 5, 'Компенсация по договору, "мировое"', since.n % 8 = 6)
) as item (k, kind, day, share, category, description, due)
where item.due
  and month.month + item.day <= demo.today();

-- Rent paid in advance: an expense of the next month.
insert into demo.operation (
    source, key, o, kind, operation_date, paid_on, amount_kopecks, account, category, counterparty, description
)
select
    9,
    organization.o,
    organization.o,
    'expense',
    demo.today() + 20,
    demo.today() - 3,
    greatest(100, (volume.month_revenue * 0.01)::bigint / 1000) * 1000,
    1,
    15,
    organization.customers + 2,
    'Аренда торгового места на ярмарке, вперёд'
from demo.organization
join demo.volume on volume.o = organization.o;

-- The old account is closed after half a year: its balance is transferred to the new bank, except a remainder in one
-- organization of four.
insert into demo.operation (source, key, part, o, kind, operation_date, paid_on, amount_kopecks, account, to_account, category, description)
select
    10,
    organization.o,
    moves.part,
    organization.o,
    moves.kind,
    moves.day,
    moves.day,
    moves.amount_kopecks,
    5,
    moves.to_account,
    moves.category,
    moves.description
from demo.organization
cross join lateral (
    values
        (1, 'expense', organization.start_on + 92, 49000, null::integer, 30, 'Комиссия за ведение счёта'),
        (2, 'transfer', organization.start_on + 181, 5000000 - 49000 - case when organization.o % 4 = 1 then 125040 else 0 end, 1, null, 'Закрытие счёта')
) as moves (part, kind, day, amount_kopecks, to_account, category, description)
where organization.size > 0
  and moves.day <= demo.today();
analyze demo.operation;
