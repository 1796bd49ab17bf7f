-- Transfers between own accounts: cash is deposited, card payments arrive less the bank's fee (a separate expense), and
-- money of the second bank goes to the first. Every two or four weeks; every day for the large organization.

select demo.prepare();

create unlogged table demo.collected as
select
    operation.o,
    operation.account,
    organization.start_on + (1 + (operation.paid_on - organization.start_on) / step.days) * step.days as day,
    sum(case operation.kind when 'income' then operation.amount_kopecks else -operation.amount_kopecks end)::bigint as amount_kopecks
from demo.operation
join demo.organization on organization.o = operation.o
cross join lateral (
    select case when organization.size >= 10 then 1 when operation.account = 4 then 28 else 14 end as days
) as step
where operation.account in (2, 3, 4)
  and operation.kind <> 'transfer'
  and operation.status = 'posted'
  and operation.paid_on is not null
group by 1, 2, 3;

insert into demo.operation (
    source, key, part, o, kind, operation_date, paid_on, amount_kopecks, account, to_account, category, document_number, description
)
select
    11,
    (collected.o * 10 + collected.account) * 100000::bigint + (collected.day - date '2000-01-01'),
    parts.part,
    collected.o,
    case parts.part when 1 then 'transfer' else 'expense' end,
    collected.day,
    collected.day,
    case parts.part when 1 then sent.amount_kopecks else greatest(100, sent.amount_kopecks / 100) end,
    case parts.part when 1 then collected.account else 1 end,
    case parts.part when 1 then 1 end,
    case parts.part when 2 then 30 end,
    case parts.part when 1 then 'ПП-' || (collected.day - date '2000-01-01') end,
    case
        when parts.part = 2 then 'Комиссия банка за зачисление'
        else (array['Сдача наличных в банк', 'Зачисление по картам', 'Перевод между своими счетами'])[collected.account - 1]
    end
from demo.collected
cross join lateral (
    select (collected.amount_kopecks * case collected.account when 2 then 0.85 else 0.95 end)::bigint / 10000 * 10000 as amount_kopecks
) as sent
-- no fee between own accounts
cross join generate_series(1, 2) as parts (part)
where sent.amount_kopecks > 0
  and collected.day <= demo.today()
  and (parts.part = 1 or collected.account < 4);
analyze demo.operation;
