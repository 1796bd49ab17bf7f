-- The benchmark's data, first file: settings, seeds, organizations and their keys. Two hundred organizations: four
-- named after their posted operations of this year, a large one, and 195 whose sizes differ up to 50-fold.
-- The files run in the order of their names into the empty tables of schema.sql, each as one string, as a superuser;
-- recommended-indexes.sql and `vacuum analyze` follow. The same day and scale give the same rows.
--   svodka.demo_today, svodka.demo_scale  the last day that has data; the factor for the numbers of facts
-- The schema `bench` stays, because it lists organizations and keys.

set local client_min_messages = 'warning';
create schema bench;

do $$
declare
    today date := coalesce(nullif(current_setting('svodka.demo_today', true), '')::date, current_date);
    scale float8 := coalesce(nullif(current_setting('svodka.demo_scale', true), '')::float8, 1);
    constants constant text := 'create function bench.%s returns %s language sql immutable parallel safe return %L::%s';
begin
    -- why: functions that are constants are folded at planning time.
    execute format(constants, 'today()', 'date', today, 'date');
    execute format(constants, 'year_start()', 'date', date_trunc('year', today)::date, 'date');
    execute format(constants, 'first_day()', 'date', make_date(extract(year from today)::integer - 2, 1, 1), 'date');
    execute format(constants, 'cutoff()', 'timestamptz', today::timestamp at time zone 'UTC', 'timestamptz');
    execute format(constants, 'scale()', 'float8', scale, 'float8');
end
$$;

-- why replica: it skips foreign key checks and triggers, which would take most of the time.
create function bench.prepare() returns void language sql as $$
    select
        set_config('session_replication_role', 'replica', true),
        set_config('work_mem', '512MB', true),
        set_config('jit', 'off', true),
        set_config('client_min_messages', 'warning', true),
        set_config('timezone', 'UTC', true);
$$;

-- Pseudo-random values. Every column has a seed of its own: slices of one hash would correlate columns.
create function bench.u(seed integer, key bigint) returns float8 language sql immutable parallel safe
return (hashint8extended(key, seed) & 4503599627370495)::float8 / 4503599627370496;

create function bench.pick(seed integer, key bigint, n integer) returns integer language sql immutable parallel safe
return ((hashint8extended(key, seed) & 4503599627370495) % n)::integer;

-- The k-th row of a directory of organization o: arithmetic instead of a join.
create function bench.id(o integer, k integer) returns bigint language sql immutable parallel safe
return k::bigint * 256 + o;

-- A product's cost, which never changes: so the value of stock is its quantity times this.
create function bench.unit_cost_kopecks(product bigint) returns bigint language sql immutable parallel safe
return 5000 + bench.pick(27, product, 200000);

-- Secondary indexes, and primary keys that no foreign key references, are dropped here and built after the rows (file
-- 90): that takes half the time of maintaining them.
create table bench.index_to_build as
select
    case when pg_index.indisprimary
        then format('alter table %s add %s', pg_index.indrelid::regclass, pg_get_constraintdef(pg_constraint.oid))
        else pg_get_indexdef(pg_index.indexrelid)
    end as definition,
    case when pg_index.indisprimary
        then format('alter table %s drop constraint %I', pg_index.indrelid::regclass, pg_constraint.conname)
        else format('drop index %s', pg_index.indexrelid::regclass)
    end as removal
from pg_index
join pg_class on pg_class.oid = pg_index.indrelid
left join pg_constraint on pg_constraint.conindid = pg_index.indexrelid and pg_constraint.contype = 'p'
where pg_class.relnamespace = 'public'::regnamespace
  and (
      not pg_index.indisunique
      or pg_index.indisprimary
      and pg_class.relname in ('operations', 'deal_stage_visits', 'stock_movements', 'tasks', 'requests')
  );

do $$
declare
    removal text;
begin
    for removal in select index_to_build.removal from bench.index_to_build loop
        execute removal;
    end loop;
end
$$;

select bench.prepare();

-- why: below a scale of 0.1, these would be most of the rows
create function bench.fewer(n integer) returns integer language sql immutable parallel safe
return (n * least(1, 10 * bench.scale()))::integer;

create table bench.organizations as
select
    sized.o,
    format('be9c0000-0000-4000-8000-%s', lpad(sized.o::text, 12, '0'))::uuid as id,
    sized.nickname,
    -- posted operations of this year, and of the two before
    greatest(2, (sized.this_year * bench.scale())::integer) as posted_this_year,
    greatest(2, (sized.before * bench.scale())::integer) as posted_before,
    -- share in all deals, sales, tasks and requests
    sized.weight,
    case sized.o % 10
        when 4 then 'Asia/Yekaterinburg' when 7 then 'Asia/Vladivostok' when 9 then 'Europe/Kaliningrad' else 'Europe/Moscow'
    end as zone,
    case when sized.is_large then bench.fewer(900) else bench.fewer(89) end as goods,
    case when sized.is_large then bench.fewer(4000) else 30 + (sized.weight * 4)::integer end as customers,
    case when sized.is_large then 200 else 8 end as suppliers,
    case when sized.is_large then 140 else 5 + (sized.weight / 4)::integer end as employees,
    case when sized.is_large then 40 else 5 end as projects,
    case when sized.is_large then 3 else 2 end as warehouses
from (
    select seed.*, seed.weight >= 500 as is_large
    from (
        values
            (1, 'million', 1000000, 60000, 800.0),
            (2, 'two hundred thousand', 200000, 20000, 500.0),
            (3, 'ten thousand', 10000, 20000, 150.0),
            (4, 'hundred', 100, 100, 1.0),
            (5, 'large', 50000, 70000, 1000.0)
    ) as seed (o, nickname, this_year, before, weight)
    union all
    -- 195 weights from 1 to 50 in a geometric series, 2,450 together
    select 6 + n, null, round(80 * size), round(160 * size), size, false
    from generate_series(0, 194) as n
    cross join lateral power(50, n / 194.0) as size
) as sized;
alter table bench.organizations add primary key (o);
analyze bench.organizations;

-- How many of all_rows an organization of that weight has, but at least least_rows.
create function bench.share(all_rows integer, weight float8, least_rows integer) returns integer
language sql stable parallel safe as $$
    select greatest(bench.fewer(least_rows), (all_rows * bench.scale() * weight / (select sum(organizations.weight) from bench.organizations))::integer)
$$;

-- That many facts, spread over the years and numbered in the order of time.
create function bench.spread(seed integer, all_rows integer, least_rows integer)
returns table (id bigint, o integer, shuffle bigint, at timestamptz)
language sql stable as $$
    select row_number() over (order by facts.at, facts.shuffle), facts.o, facts.shuffle, facts.at
    from (
        select
            organizations.o,
            shuffle,
            date_trunc('second', bench.cutoff() - (bench.cutoff() - bench.first_day()::timestamp at time zone 'UTC')
                * bench.u(seed, shuffle)) as at
        from bench.organizations
        cross join lateral generate_series(1, bench.share(all_rows, organizations.weight, least_rows)) as i
        cross join lateral (select i::bigint * 256 + organizations.o as shuffle) as shuffles
    ) as facts
$$;

insert into organizations (id, name, tier, time_zone, created_at)
select
    organizations.id,
    coalesce('ООО «' || organizations.nickname || '»', 'ООО «Организация ' || organizations.o || '»'),
    case when organizations.o % 5 = 0 then 'enterprise' else 'business' end,
    organizations.zone,
    bench.first_day()::timestamp at time zone 'UTC'
from bench.organizations
order by organizations.o;

create table bench.keys as
select n, 1 + (n - 1) % 200 as o
from generate_series(1, 2000) as n;

insert into api_keys (organization_id, key_sha256, created_at)
select
    organizations.id,
    sha256(convert_to('sk_bench_' || lpad(keys.n::text, 4, '0'), 'UTF8')),
    bench.first_day()::timestamp at time zone 'UTC'
from bench.keys
join bench.organizations on organizations.o = keys.o
order by keys.n;
