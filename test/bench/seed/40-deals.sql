-- 300,000 deals and their visits to stages: a deal passes its open stages at an even pace, then is won or lost.

select bench.prepare();

create unlogged table bench.deals as
select
    numbered.*,
    case when numbered.created_at + numbered.lifetime < bench.cutoff() then numbered.created_at + numbered.lifetime end as ended_at,
    bench.pick(54, numbered.id, 100) < 45 as is_won
from (
    select
        spread.id,
        spread.o,
        spread.at as created_at,
        organizations.id as organization_id,
        organizations.customers,
        organizations.employees,
        (array[1, 1, 2, 2, 3])[1 + bench.pick(52, spread.id, 5)] as stages,
        interval '1 second' * (86400 + floor(bench.u(53, spread.id) * bench.u(55, spread.id) * 7776000)) as lifetime
    from bench.spread(51, 300000, 60) as spread
    join bench.organizations using (o)
) as numbered;

insert into deals (
    organization_id, id, title, amount_kopecks, stage_id, source_id, manager_id, counterparty_id, created_at, won_at,
    lost_at, lost_reason, updated_at
)
select
    deals.organization_id,
    deals.id,
    'Сделка № ' || deals.id,
    100000 + bench.pick(56, deals.id, 50000000),
    bench.id(deals.o, case
        when deals.ended_at is null
            then 1 + least(deals.stages - 1, floor(extract(epoch from bench.cutoff() - deals.created_at) * deals.stages / extract(epoch from deals.lifetime))::integer)
        when deals.is_won then 5
        else 6
    end),
    case when bench.pick(57, deals.id, 20) > 0 then bench.id(deals.o, 1 + bench.pick(58, deals.id, 6)) end,
    case when bench.pick(59, deals.id, 20) > 0 then bench.id(deals.o, 1 + bench.pick(60, deals.id, deals.employees)) end,
    bench.id(deals.o, 1 + floor(deals.customers * bench.u(61, deals.id) * bench.u(62, deals.id))::integer),
    deals.created_at,
    case when deals.is_won then deals.ended_at end,
    case when not deals.is_won then deals.ended_at end,
    case when not deals.is_won and deals.ended_at is not null
        then (array['Дорого', 'Выбрали других', 'Не отвечает', null])[1 + bench.pick(63, deals.id, 4)] end,
    coalesce(deals.ended_at, deals.created_at)
from bench.deals
order by deals.id;

insert into deal_stage_visits (organization_id, id, deal_id, stage_id, entered_at, left_at, to_stage_id)
select
    deals.organization_id,
    deals.id * 4 + step,
    deals.id,
    bench.id(deals.o, case when step < deals.stages then 1 + step when deals.is_won then 5 else 6 end),
    visit.entered_at,
    case when visit.left_at < bench.cutoff() then visit.left_at end,
    case when visit.left_at < bench.cutoff()
        then bench.id(deals.o, case when step + 1 < deals.stages then 2 + step when deals.is_won then 5 else 6 end) end
from bench.deals
cross join lateral generate_series(0, deals.stages) as step
cross join lateral (
    select
        deals.created_at + deals.lifetime * (step::float8 / deals.stages) as entered_at,
        case when step < deals.stages then deals.created_at + deals.lifetime * ((step + 1)::float8 / deals.stages) end as left_at
    -- why: without it, the subquery is inlined and computed again at each reference
    offset 0
) as visit
where visit.entered_at < bench.cutoff();
