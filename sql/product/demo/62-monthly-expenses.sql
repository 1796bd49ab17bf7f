-- Monthly expenses: rent, wages, contributions, advertising, taxes. Amounts are shares of the organization's revenue,
-- so that its profit is modest at any size and scale; January is slow and makes a loss.

select demo.prepare();

create unlogged table demo.volume (o integer primary key, month_revenue bigint not null);
insert into demo.volume (o, month_revenue)
select
    organization.o,
    greatest(
        3000000,
        coalesce(sum(case when sale_amount.kind = 'return' then -1 else 1 end * sale_amount.amount_kopecks), 0)
            * 30.4 / greatest(30, demo.today() - organization.start_on)
    )::bigint
from demo.organization
left join demo.sale_amount on sale_amount.o = organization.o
where organization.size > 0
group by organization.o, organization.start_on;

create unlogged table demo.month (
    o integer not null,
    month date not null,
    last_day date not null,
    key bigint not null,
    title text not null,
    -- costs grow with revenue; 1 in the middle of the organization's history
    level float8 not null,
    primary key (o, month)
);
insert into demo.month (o, month, last_day, key, title, level)
select
    organization.o,
    calendar.month::date,
    (calendar.month + interval '1 month - 1 day')::date,
    organization.o * 1000 + extract(year from calendar.month)::bigint % 50 * 12 + extract(month from calendar.month)::bigint,
    (array['январь', 'февраль', 'март', 'апрель', 'май', 'июнь', 'июль', 'август', 'сентябрь', 'октябрь',
        'ноябрь', 'декабрь'])[extract(month from calendar.month)::integer] || ' ' || extract(year from calendar.month),
    1 + 0.11 * ((calendar.month::date - organization.start_on) - (demo.today() - organization.start_on) / 2) / 365.25::float8
from demo.organization
cross join lateral generate_series(organization.start_on::timestamp, demo.today()::timestamp + interval '2 months', '1 month') as calendar (month)
where organization.size > 0;
analyze demo.volume, demo.month;

-- Future expenses are planned; the rest of the current month has no rows yet.
insert into demo.operation (
    source, key, part, o, kind, status, operation_date, paid_on, due_on, amount_kopecks, account, category,
    counterparty, document_number, description
)
select
    5,
    month.key * 100 + item.k,
    1,
    month.o,
    'expense',
    case when dates.accrued <= demo.today() then 'posted' else 'planned' end,
    dates.accrued,
    case when dates.accrued <= demo.today() then demo.paid(dates.accrued + item.delay + demo.pick(431, month.key * 100 + item.k, item.jitter)) end,
    dates.accrued + item.delay + 3,
    greatest(1, (volume.month_revenue * item.share * dates.level * (1 - item.spread + 2 * item.spread * demo.u(432, month.key * 100 + item.k)))::bigint / 1000) * 1000,
    item.account,
    item.category,
    organization.customers + 1 + item.k % organization.suppliers,
    case when item.k <= 3 then 'АКТ-' || lpad((month.key % 1000 * 10 + item.k)::text, 5, '0') end,
    item.description || ' за ' || month.title
from demo.month
join demo.organization on organization.o = month.o
join demo.volume on volume.o = month.o
cross join (
    values
        -- (k, category, share of revenue, accrued at the month's end, days to payment, jitter, spread, account, months, description)
        (1, 15, 0.045, false, 4, 3, 0.0, 1, 1, 'Аренда'),
        (2, 16, 0.007, true, 12, 8, 0.3, 1, 1, 'Коммунальные услуги'),
        (3, 22, 0.0015, true, 5, 5, 0.1, 1, 1, 'Интернет и телефон'),
        (4, 24, 0.0025, false, 0, 2, 0.2, 3, 1, 'Подписка на программы'),
        (5, 30, 0.001, true, 0, 1, 0.3, 1, 1, 'Обслуживание счёта'),
        (6, 12, 0.036, true, 25, 4, 0.05, 1, 1, 'Страховые взносы'),
        (7, 19, 0.008, false, 3, 3, 0.6, 1, 1, 'Контекстная реклама'),
        (8, 19, 0.006, true, 0, 3, 0.6, 3, 1, 'Реклама в соцсетях'),
        (9, 29, 0.042, true, 24, 4, 0.1, 1, 3, 'Налог по УСН, аванс'),
        (10, 17, 0.003, true, 3, 5, 0.4, 2, 1, 'Уборка помещений')
) as item (k, category, share, at_end, delay, jitter, spread, account, months, description)
cross join lateral (
    select
        case when item.at_end then month.last_day else month.month + (item.k % 4) end as accrued,
        -- rent is raised once a year
        case
            when item.k = 1 then month.level - 0.11 * extract(month from month.month) / 12::float8 + 0.05
            else month.level
        end as level
) as dates
where extract(month from month.month)::integer % item.months = 0;

-- Wages: an advance on the 20th, the rest on the 10th of the next month.
insert into demo.operation (
    source, key, part, o, kind, status, operation_date, paid_on, due_on, amount_kopecks, account, category, description
)
select
    6,
    month.key * 1000 + wage.k,
    wage.part,
    month.o,
    'expense',
    case when wage.accrued <= demo.today() then 'posted' else 'planned' end,
    wage.accrued,
    case when wage.accrued <= demo.today() then demo.paid(wage.paid_on) end,
    wage.paid_on,
    greatest(1, (
        volume.month_revenue * 0.105 / organization.employees * month.level
        * (0.7 + 0.6 * demo.u(435, organization.o * 1000 + wage.k))
        * case wage.part when 1 then 0.4 else 0.6 end
    )::bigint / 50000) * 50000,
    1,
    11,
    case wage.part when 1 then 'Аванс за ' else 'Зарплата за ' end || month.title || ', ' || wage.full_name
from demo.month
join demo.organization on organization.o = month.o
join demo.volume on volume.o = month.o
cross join lateral (
    select
        (employees.id - organization.o) / 64 as k,
        employees.full_name,
        parts.part,
        case parts.part when 1 then month.month + 14 else month.last_day end as accrued,
        case parts.part when 1 then month.month + 19 else month.last_day + 10 end as paid_on
    from employees
    cross join generate_series(1, 2) as parts (part)
    where employees.organization_id = organization.id
      and (employees.dismissed_on is null or employees.dismissed_on > month.last_day)
) as wage;
analyze demo.operation;
