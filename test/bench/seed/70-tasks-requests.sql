-- Tasks and requests, 100,000 each.

select bench.prepare();

insert into tasks (organization_id, id, title, assignee_id, created_at, due_on, completed_at, cancelled_at)
select
    numbered.organization_id,
    numbered.id,
    'Задача № ' || numbered.id,
    case when bench.pick(102, numbered.id, 20) > 0 then bench.id(numbered.o, 1 + bench.pick(103, numbered.id, numbered.employees)) end,
    numbered.created_at,
    case when bench.pick(104, numbered.id, 10) > 0 then numbered.created_at::date + bench.pick(105, numbered.id, 15) end,
    case when numbered.luck < 90 and numbered.ended_at < bench.cutoff() then numbered.ended_at end,
    case when numbered.luck between 90 and 95 and numbered.ended_at < bench.cutoff() then numbered.ended_at end
from (
    select
        spread.id,
        spread.o,
        spread.at as created_at,
        organizations.id as organization_id,
        organizations.employees,
        bench.pick(106, spread.shuffle, 100) as luck,
        spread.at + interval '1 hour' * bench.pick(107, spread.shuffle, 400) as ended_at
    from bench.spread(101, 100000, 60) as spread
    join bench.organizations using (o)
) as numbered;

insert into requests (
    organization_id, id, channel_id, assignee_id, counterparty_id, received_at, promised_at, first_answer_at, closed_at
)
select
    numbered.organization_id,
    numbered.id,
    bench.id(numbered.o, numbered.channel),
    case when bench.pick(112, numbered.id, 20) > 0 then bench.id(numbered.o, 1 + bench.pick(113, numbered.id, numbered.employees)) end,
    case when bench.pick(114, numbered.id, 5) > 1 then bench.id(numbered.o, 1 + bench.pick(115, numbered.id, numbered.customers)) end,
    numbered.received_at,
    numbered.received_at + interval '1 minute' * (array[15, 60, 30, 240, null])[numbered.channel],
    case when numbered.luck > 2 and numbered.answered_at < bench.cutoff() then numbered.answered_at end,
    case when numbered.luck > 4 and numbered.answered_at + interval '2 days' * bench.u(116, numbered.id) < bench.cutoff()
        then numbered.answered_at + interval '2 days' * bench.u(116, numbered.id) end
from (
    select
        spread.id,
        spread.o,
        spread.at as received_at,
        organizations.id as organization_id,
        organizations.employees,
        organizations.customers,
        1 + bench.pick(117, spread.shuffle, 5) as channel,
        bench.pick(118, spread.shuffle, 60) as luck,
        spread.at + interval '1 minute' * (1 + bench.pick(119, spread.shuffle, 120)) as answered_at
    from bench.spread(111, 100000, 60) as spread
    join bench.organizations using (o)
) as numbered;
