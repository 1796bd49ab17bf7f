-- Deals and their paths through the funnel. The amount of a deal with a sale is that of the sale (file 40).

select demo.prepare();

create unlogged table demo.deal (
    id bigint primary key,
    o integer not null,
    key bigint not null,
    created_at timestamptz not null,
    counterparty integer
);
insert into demo.deal (id, o, key, created_at, counterparty)
select
    row_number() over (order by facts.created_at, facts.key),
    facts.o,
    facts.key,
    facts.created_at,
    facts.counterparty
from (
    select
        day.o,
        day.key + i as key,
        demo.at(day.day, demo.work_second(101, day.key + i), organization.zone) as created_at,
        case
            when demo.u(102, day.key + i) < 0.93
                then 1 + floor(organization.customers * demo.u(103, day.key + i) * demo.u(104, day.key + i))::integer
        end as counterparty
    from demo.day
    join demo.organization on organization.o = day.o
    cross join lateral generate_series(1, demo.facts(90, organization.size, day.work * day.demand, 100, day.key)) as i
) as facts
where facts.created_at < demo.cutoff();
analyze demo.deal;

-- The paths: stages by number, 6 is won and 7 is lost. Some return to earlier stages.
create unlogged table demo.way (n integer primary key, stages integer[]);
insert into demo.way (n, stages)
select way.n, way.stages
from (
    values
        (1, array[1, 2, 3, 4, 5, 6]), (2, array[1, 2, 3, 5, 6]), (3, array[1, 2, 6]), (4, array[1, 2, 3, 4, 5, 6]),
        (5, array[1, 3, 4, 5, 6]), (6, array[1, 2, 3, 6]), (7, array[1, 2, 3, 2, 3, 4, 5, 6]), (8, array[1, 2, 3, 4, 3, 4, 5, 6]),
        (9, array[1, 7]), (10, array[1, 2, 7]), (11, array[1, 7]), (12, array[1, 2, 3, 7]),
        (13, array[1, 2, 3, 4, 7]), (14, array[1, 2, 3, 4, 5, 7]), (15, array[1, 2, 3, 4, 5, 4, 3, 7]), (16, array[1, 2, 1, 2, 3, 7])
) as way (n, stages);

-- The length of a visit: mostly a few days, one in forty much longer. A visit ends in working hours.
create function demo.stay(key bigint, place bigint) returns interval language sql immutable parallel safe
return make_interval(
    days => floor(
        demo.u(106, key + place * 7919) * demo.u(107, key + place * 7919) * 32
        * case when demo.pick(108, key + place * 7919, 40) = 0 then 8 else 1 end
    )::integer,
    secs => 600 + demo.pick(109, key + place * 7919, 5400)
);

create unlogged table demo.visit (
    deal_id bigint not null,
    o integer not null,
    place integer not null,
    stage integer not null,
    entered_at timestamptz not null,
    left_at timestamptz,
    to_stage integer
);
insert into demo.visit (deal_id, o, place, stage, entered_at, left_at, to_stage)
select
    visits.deal_id,
    visits.o,
    visits.place,
    visits.stage,
    visits.entered_at,
    -- if the next visit is in the future, this one is still open
    case when visits.left_at < demo.cutoff() then visits.left_at end,
    case when visits.left_at < demo.cutoff() then visits.to_stage end
from (
    select
        steps.deal_id,
        steps.o,
        steps.place,
        steps.stage,
        steps.created_at + sum(steps.stay) over earlier as entered_at,
        case when steps.to_stage is not null then steps.created_at + sum(steps.stay) over earlier + steps.next_stay end as left_at,
        steps.to_stage
    from (
        select
            deal.id as deal_id,
            deal.o,
            deal.created_at,
            step.place::integer as place,
            step.stage,
            -- lengths of the previous visit and of this one, in whole seconds
            case when step.place = 1 then interval '0' else demo.stay(deal.key, step.place - 1) end as stay,
            demo.stay(deal.key, step.place) as next_stay,
            way.stages[step.place + 1] as to_stage
        from demo.deal
        join demo.way on way.n = 1 + demo.pick(105, deal.key, 16)
        cross join lateral unnest(way.stages) with ordinality as step (stage, place)
    ) as steps
    window earlier as (partition by steps.deal_id order by steps.place)
) as visits
where visits.entered_at < demo.cutoff();
analyze demo.visit;
