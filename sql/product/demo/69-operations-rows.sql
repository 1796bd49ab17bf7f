-- Makes some operations planned or cancelled, inserts all into the product's table in chronological order, and sets
-- opening balances that are sufficient for each account.

select demo.prepare();

-- On every day, each organization owes and is owed something: of documents on credit, the newest are not paid yet.
update demo.operation
set paid_on = null
from (
    select distinct on (o, kind) source, key, part
    from demo.operation
    where status = 'posted'
      and kind in ('income', 'expense')
      and counterparty is not null
      and due_on is not null
      and operation_date <= demo.today()
    order by o, kind, operation_date desc, source, key, part
) as newest
where operation.source = newest.source
  and operation.key = newest.key
  and operation.part = newest.part;

-- Most cancelled operations were duplicates; half of them still have the date of a reversed payment.
-- A past plan that was not posted is still planned.
insert into demo.operation (
    source, key, part, o, kind, status, operation_date, paid_on, due_on, amount_kopecks, account, to_account, category,
    counterparty, project, document_number, description
)
select
    operation.source + 100,
    operation.key,
    operation.part,
    operation.o,
    operation.kind,
    case when copy.luck < 12 then 'cancelled' else 'planned' end,
    operation.operation_date,
    case when copy.luck < 6 then operation.paid_on end,
    operation.due_on,
    operation.amount_kopecks,
    operation.account,
    operation.to_account,
    operation.category,
    operation.counterparty,
    operation.project,
    operation.document_number,
    case when copy.luck < 12 then operation.description || ' (ошибочно)' else operation.description end
from demo.operation
cross join lateral (select demo.pick(471, operation.key * 3 + operation.part + operation.source * 1000003::bigint, 1000) as luck) as copy
where operation.status = 'posted'
  and copy.luck < 16;

-- Expected income of the coming weeks.
insert into demo.operation (
    source, key, o, kind, status, operation_date, due_on, amount_kopecks, account, category, counterparty, description
)
select
    12,
    organization.o * 1000 + i,
    organization.o,
    'income',
    'planned',
    demo.today() + demo.pick(481, organization.o * 1000 + i, 45),
    demo.today() + 45,
    1000000 + demo.pick(482, organization.o * 1000 + i, 2000) * 10000,
    1,
    2,
    1 + demo.pick(483, organization.o * 1000 + i, organization.customers),
    'Ожидаемая оплата'
from demo.organization
cross join lateral generate_series(1, ceil(4 * least(organization.size, 10))::integer) as i
where organization.size > 0;

-- Purchases of the coming weeks; the organization in Vladivostok pays for a container, more than its balance.
insert into demo.operation (
    source, key, o, kind, status, operation_date, amount_kopecks, account, category, counterparty, description
)
select
    13,
    organization.o * 1000 + week,
    organization.o,
    'expense',
    'planned',
    demo.today() + 7 * week,
    (volume.month_revenue * (0.1 + 0.06 * demo.u(484, organization.o * 1000 + week)))::bigint / 1000 * 1000
        * case when organization.o = 2 and week = 3 then 30 else 1 end,
    1,
    34,
    organization.customers + 1 + demo.pick(485, organization.o * 1000 + week, organization.suppliers),
    case when organization.o = 2 and week = 3 then 'Контейнер запчастей, оплата при отгрузке' else 'Закупка товара по графику' end
from demo.organization
join demo.volume on volume.o = organization.o
cross join lateral generate_series(1, 6) as week
where organization.size > 0;

insert into operations (
    organization_id, id, kind, status, operation_date, paid_on, due_on, amount_kopecks, account_id, to_account_id,
    category_id, counterparty_id, project_id, document_number, description, updated_at
)
select
    organization.id,
    row_number() over (order by entered.day, entered.shuffle, operation.source, operation.key, operation.part),
    operation.kind,
    operation.status,
    operation.operation_date,
    operation.paid_on,
    operation.due_on,
    operation.amount_kopecks,
    demo.id(operation.o, operation.account),
    demo.id(operation.o, operation.to_account),
    demo.id(operation.o, operation.category),
    demo.id(operation.o, operation.counterparty),
    demo.id(operation.o, operation.project),
    operation.document_number,
    operation.description,
    least(
        demo.at(coalesce(operation.paid_on, entered.day), 34000 + demo.pick(492, entered.shuffle, 30000), organization.zone),
        demo.cutoff() - make_interval(secs => demo.pick(493, entered.shuffle, 40000))
    )
from demo.operation
join demo.organization on organization.o = operation.o
cross join lateral (
    select
        least(operation.operation_date, operation.paid_on, demo.today()) as day,
        hashint8extended(operation.key * 7 + operation.part, operation.source) & 4503599627370495 as shuffle
) as entered
order by 2;

insert into accounts (organization_id, id, name, kind, opening_balance_kopecks, archived_at)
select
    organization.id,
    demo.id(organization.o, account.k),
    account.name,
    account.kind,
    case
        when account.k = 5 then 5000000
        else (greatest(0, -coalesce(lowest.balance, 0)) + volume.month_revenue / 20) / 100000 * 100000 + 100000
    end,
    case when account.k = 5 and organization.start_on + 200 < demo.today() then demo.at(organization.start_on + 200, 50400, organization.zone) end
from demo.organization
join demo.volume on volume.o = organization.o
cross join (
    values
        (1, 'Расчётный счёт', 'bank'),
        (2, 'Касса', 'cash'),
        (3, 'Карта и эквайринг', 'card'),
        (4, 'Счёт в «Резерв-Банке»', 'bank'),
        (5, 'Старый счёт', 'bank')
) as account (k, name, kind)
left join (
    select days.o, days.account, min(days.balance)::bigint as balance
    from (
        select moves.o, moves.account, sum(sum(moves.amount)) over (partition by moves.o, moves.account order by moves.paid_on) as balance
        from (
            select o, account, paid_on, case kind when 'income' then amount_kopecks else -amount_kopecks end as amount
            from demo.operation
            where status = 'posted'
              and paid_on is not null
            union all
            select o, to_account, paid_on, amount_kopecks
            from demo.operation
            where status = 'posted'
              and to_account is not null
              and paid_on is not null
        ) as moves
        group by moves.o, moves.account, moves.paid_on
    ) as days
    group by days.o, days.account
) as lowest on lowest.o = organization.o and lowest.account = account.k
order by 2;
