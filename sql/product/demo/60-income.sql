-- Files 60 to 68 insert operations into one work table, and 69 numbers them. This one: income of sales, paid at once,
-- on credit, in advance, in two parts, late or never; and refunds of returns.

select demo.prepare();

-- Accounts: 1 the bank, 2 cash, 3 card payments, 4 the second bank, 5 an old one, archived.
create unlogged table demo.operation (
    -- makes rows unique and orders those of one day
    source integer not null,
    key bigint not null,
    part integer not null default 1,
    o integer not null,
    kind text not null,
    status text not null default 'posted',
    operation_date date not null,
    paid_on date,
    due_on date,
    amount_kopecks bigint not null,
    account integer,
    to_account integer,
    category integer,
    counterparty integer,
    project integer,
    document_number text,
    description text
);

-- The day of a future payment is null.
create function demo.paid(day date) returns date language sql immutable parallel safe
return case when day <= demo.today() then day end;

insert into demo.operation (
    source, key, part, o, kind, operation_date, paid_on, due_on, amount_kopecks, account, category,
    counterparty, project, document_number, description
)
select
    1,
    sold.id,
    payment.part,
    sold.o,
    'income',
    sold.day,
    -- why: greatest() alone would return the start for a payment that never arrives
    case when payment.delay is not null then demo.paid(greatest(sold.day + payment.delay, organization.start_on)) end,
    sold.day + payment.credit,
    case when sold.kind = 'return' then -payment.amount_kopecks else payment.amount_kopecks end,
    case
        when sold.counterparty is null then case when demo.u(402, sold.seed) < 0.45 then 2 else 3 end
        when demo.u(402, sold.seed) < 0.82 then 1
        when demo.u(402, sold.seed) < 0.94 then 4
        else 2
    end,
    case
        when demo.pick(403, sold.id, 80) = 0 then null
        when demo.pick(404, sold.id, 150) = 0 then 1
        when sold.service then 4
        when sold.counterparty is null then 3
        else 2
    end,
    sold.counterparty,
    sold.project,
    case when sold.kind = 'return' then 'ВЗ-' else 'РН-' end || lpad(sold.id::text, 6, '0'),
    case
        when sold.kind = 'return' then 'Возврат покупателю'
        when sold.counterparty is null
            then demo.one_of(405, sold.id, array['Розничная продажа', 'Розничная продажа', 'Чек, продажа в магазине', 'Покупка на сайте 🛒'])
        when payment.delay < 0 then 'Предоплата по счёту № ' || sold.id
        else demo.one_of(405, sold.id, array['Оплата по накладной', 'Оплата по счёту № ' || sold.id,
            'За товар, в т. ч. НДС', 'Договор поставки "рамочный", отгрузка', 'Оплата; просим отгрузить до пятницы'])
    end
from (
    select
        sale_amount.*,
        -- a return is refunded by the sale's method of payment
        abs(sale_amount.key) as seed,
        demo.pick(401, sale_amount.key, 100) as luck,
        (array[7, 14, 14, 30])[1 + demo.pick(406, sale_amount.key, 4)] as term,
        (sale_amount.amount_kopecks * (0.3 + 0.4 * demo.u(407, sale_amount.key)))::bigint / 10000 * 10000 as first_part
    from demo.sale_amount
    where sale_amount.amount_kopecks > 0
) as sold
join demo.organization on organization.o = sold.o
cross join lateral (
    -- retail: at once
    select 1 as part, 0 as delay, null::integer as credit, sold.amount_kopecks
    where sold.counterparty is null
    union all
    select
        1,
        case
            when sold.kind = 'return' then demo.pick(408, sold.id, 5)
            when sold.luck < 36 then demo.pick(408, sold.id, 3)
            when sold.luck < 60 then 3 + demo.pick(408, sold.id, sold.term + 10)
            when sold.luck < 70 then -1 - demo.pick(408, sold.id, 20)
            when sold.luck < 98 then 25 + demo.pick(408, sold.id, 140)
        end,
        case when sold.kind = 'sale' and (sold.luck between 36 and 59 or sold.luck >= 70) then sold.term end,
        sold.amount_kopecks
    where sold.counterparty is not null
      and (sold.kind = 'return' or sold.luck not between 70 and 81 or sold.first_part = 0)
    union all
    -- two parts: some before or at shipment, the rest later
    select
        parts.part,
        case parts.part when 1 then -demo.pick(408, sold.id, 4) else 10 + demo.pick(409, sold.id, 50) end,
        case parts.part when 2 then 30 end,
        case parts.part when 1 then sold.first_part else sold.amount_kopecks - sold.first_part end
    from generate_series(1, 2) as parts (part)
    where sold.counterparty is not null
      and sold.kind = 'sale'
      and sold.luck between 70 and 81
      and sold.first_part > 0
) as payment;

-- Advances for shipments of the coming weeks: paid now, accrued in the future.
insert into demo.operation (
    source, key, o, kind, operation_date, paid_on, amount_kopecks, account, category, counterparty, document_number, description
)
select
    2,
    organization.o * 1000 + i,
    organization.o,
    'income',
    demo.today() + 3 + demo.pick(412, organization.o * 1000 + i, 40),
    demo.today() - demo.pick(411, organization.o * 1000 + i, 12),
    1000000 + demo.pick(413, organization.o * 1000 + i, 900) * 10000,
    1,
    2,
    1 + demo.pick(414, organization.o * 1000 + i, organization.customers),
    'СЧ-' || lpad((organization.o * 100 + i)::text, 6, '0'),
    'Аванс по договору, отгрузка в следующем месяце'
from demo.organization
cross join lateral generate_series(1, ceil(3 * least(organization.size, 10))::integer) as i
where organization.size > 0;
analyze demo.operation;
