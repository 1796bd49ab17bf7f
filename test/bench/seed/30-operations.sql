-- Two million operations: for this year and before, exactly as many posted ones as bench.organizations says; and one
-- planned or cancelled operation for every fifty of this year.

select bench.prepare();

insert into operations (
    organization_id, id, kind, status, operation_date, paid_on, due_on, amount_kopecks, account_id, to_account_id,
    category_id, counterparty_id, project_id, document_number, description, updated_at
)
select
    facts.organization_id,
    facts.id,
    facts.kind,
    facts.status,
    facts.day,
    case when facts.status = 'posted' then
        case
            when facts.kind = 'transfer' then facts.day
            when bench.pick(34, facts.id, 100) < 3 then null
            when facts.day + facts.delay <= bench.today() then facts.day + facts.delay
        end
    end,
    case when bench.pick(35, facts.id, 2) = 0 then facts.day + 14 end,
    case
        when facts.kind <> 'transfer' and bench.pick(36, facts.id, 100) = 0 then -5000
        else 1000 + (bench.u(37, facts.id) * bench.u(38, facts.id) * case facts.kind when 'income' then 12000000 else 9000000 end)::bigint
    end,
    bench.id(facts.o, 1 + facts.account),
    case when facts.kind = 'transfer' then bench.id(facts.o, 1 + (facts.account + 1) % 4) end,
    case facts.kind
        when 'income' then bench.id(facts.o, 1 + bench.pick(39, facts.id, 5))
        when 'expense' then bench.id(facts.o, 6 + bench.pick(39, facts.id, 25))
    end,
    case facts.kind
        when 'income' then bench.id(facts.o, 1 + floor(facts.customers * bench.u(40, facts.id) * bench.u(41, facts.id))::integer)
        when 'expense' then bench.id(facts.o, facts.customers + 1 + bench.pick(40, facts.id, facts.suppliers))
    end,
    case when bench.pick(42, facts.id, 3) = 0 then bench.id(facts.o, 1 + bench.pick(43, facts.id, facts.projects)) end,
    case when bench.pick(44, facts.id, 2) = 0 then 'Т-' || facts.id end,
    case bench.pick(45, facts.id, 4)
        when 0 then 'Оплата по счёту "' || facts.id || '"'
        when 1 then 'Аванс'
        when 2 then 'По договору'
    end,
    facts.day + interval '17 hours'
from (
    select
        ordered.*,
        (bench.u(33, ordered.id) * bench.u(46, ordered.id) * 30)::integer as delay,
        bench.pick(47, ordered.id, 4) as account,
        case
            when ordered.is_transfer then 'transfer'
            when bench.pick(32, ordered.id, 100) < 45 then 'income'
            else 'expense'
        end as kind
    from (
        select
            organizations.id as organization_id,
            organizations.o,
            organizations.customers,
            organizations.suppliers,
            organizations.projects,
            dated.day,
            dated.status,
            bench.pick(31, dated.shuffle, 20) = 0 as is_transfer,
            row_number() over (order by dated.day, dated.shuffle) as id
        from bench.organizations
        cross join lateral (
            select
                bench.year_start() + (i::bigint * (bench.today() - bench.year_start() + 1) / organizations.posted_this_year)::integer as day,
                'posted' as status,
                hashint8extended(i::bigint * 256 + organizations.o, 30) as shuffle
            from generate_series(0, organizations.posted_this_year - 1) as i
            union all
            select
                bench.first_day() + (i::bigint * (bench.year_start() - bench.first_day()) / organizations.posted_before)::integer,
                'posted',
                hashint8extended(i::bigint * 256 + organizations.o, 29)
            from generate_series(0, organizations.posted_before - 1) as i
            union all
            -- some are dated in the next 45 days
            select
                bench.today() + 45 - bench.pick(48, i::bigint * 256 + organizations.o, 400),
                case when i % 2 = 0 then 'planned' else 'cancelled' end,
                hashint8extended(i::bigint * 256 + organizations.o, 28)
            from generate_series(0, 20 + organizations.posted_this_year / 50) as i
        ) as dated
    ) as ordered
    -- why: without it, the subquery is inlined and kind is computed again at each reference
    offset 0
) as facts;
