-- Demo data, first file: settings, seeds and the schema `demo` of work tables, which the last file drops.
-- The files are executed in the order of their names, each as one string, as a superuser, on the empty tables of
-- schema.sql; `vacuum analyze` follows. The same day and the same scale give the same rows.
--   svodka.demo_today  the date of today (default: current_date)
--   svodka.demo_scale  multiplies the numbers of facts (default 1; the tests use 0.1)
-- Only this file reads the two settings: set them on its connection.
--
-- Dates end today. Instants end at the start of today in UTC, so that none is in the future and the rows do not depend
-- on the hour.

do $$
begin
    if exists (select from organizations) then
        raise exception 'demo data goes into an empty database only, and organizations has rows';
    end if;
end
$$;

set local client_min_messages = 'warning';
drop schema if exists demo cascade;
create schema demo;

do $$
declare
    today date := coalesce(nullif(current_setting('svodka.demo_today', true), '')::date, current_date);
    scale float8 := coalesce(nullif(current_setting('svodka.demo_scale', true), '')::float8, 1);
    constants constant text := 'create function demo.%s returns %s language sql immutable parallel safe return %L::%s';
begin
    if not (scale > 0 and scale <= 20) then
        raise exception 'svodka.demo_scale is %, expected more than 0 and at most 20', scale;
    end if;
    -- why: constant functions are folded at planning time; a settings table would have to be joined everywhere.
    execute format(constants, 'today()', 'date', today, 'date');
    execute format(constants, 'first_day()', 'date', make_date(extract(year from today)::integer - 2, 1, 1), 'date');
    execute format(constants, 'cutoff()', 'timestamptz', today::timestamp at time zone 'UTC', 'timestamptz');
    execute format(constants, 'scale()', 'float8', scale, 'float8');
end
$$;

-- Indexes are created after the rows (99), which takes half the time of maintaining them.
create table demo.index_to_build as
select pg_get_indexdef(pg_index.indexrelid) as definition
from pg_index
where pg_index.indrelid in (select pg_class.oid from pg_class where pg_class.relnamespace = 'public'::regnamespace)
  and not pg_index.indisunique;

do $$
declare
    index_name text;
begin
    for index_name in
        select pg_index.indexrelid::regclass::text
        from pg_index
        where pg_index.indrelid in (select pg_class.oid from pg_class where pg_class.relnamespace = 'public'::regnamespace)
          and not pg_index.indisunique
    loop
        execute 'drop index ' || index_name;
    end loop;
end
$$;

-- why replica: checking foreign keys row by row takes long and would restrict the order of the files. After a change of
-- these files, check the keys with set queries.
create function demo.prepare() returns void language sql as $$
    select
        set_config('session_replication_role', 'replica', true),
        set_config('work_mem', '128MB', true),
        set_config('jit', 'off', true),
        set_config('client_min_messages', 'warning', true),
        set_config('timezone', 'UTC', true);
$$;

-- Pseudo-random values. Every column has its own seed: slices of one hash would correlate columns.
create function demo.u(seed integer, key bigint) returns float8 language sql immutable parallel safe
return (hashint8extended(key, seed) & 4503599627370495)::float8 / 4503599627370496;

create function demo.pick(seed integer, key bigint, n integer) returns integer language sql immutable parallel safe
return ((hashint8extended(key, seed) & 4503599627370495) % n)::integer;

create function demo.one_of(seed integer, key bigint, choices text[]) returns text
language sql immutable parallel safe
return choices[1 + demo.pick(seed, key, cardinality(choices))];

-- Ids of reference tables: the k-th row of organization o. Arithmetic instead of a join, and interleaved between
-- organizations, as ids of one sequence are.
create function demo.id(o integer, k bigint) returns bigint language sql immutable parallel safe
return k * 64 + o;

-- An instant in the organization's day: seconds after local midnight.
create function demo.at(day date, seconds integer, zone text) returns timestamptz language sql immutable parallel safe
return (day::timestamp + make_interval(secs => seconds)) at time zone zone;

-- Working hours, densest after lunch: 9:00 to 20:00.
create function demo.work_second(seed integer, key bigint) returns integer language sql immutable parallel safe
return 32400 + ((demo.u(seed, key) + demo.u(seed + 1000, key)) * 19800)::integer;

-- A realistic taxpayer number with a wrong check digit, so that no real company has it. One in ten begins with 0, which
-- a spreadsheet drops from a CSV file.
create function demo.inn(key bigint, person boolean) returns text language sql immutable parallel safe as $$
    with digits as (
        select
            (array['77', '50', '78', '54', '66', '25', '39', '23', '16', '02'])[1 + demo.pick(11, key, 10)]
            || lpad(demo.pick(12, key, 100000000)::text, 8, '0') as text
    ),
    weighed as (
        select
            digits.text,
            case when person then array[7, 2, 4, 10, 3, 5, 9, 4, 6, 8] else array[2, 4, 10, 3, 5, 9, 4, 6, 8] end as weights
        from digits
    ),
    summed as (
        select
            weighed.text,
            cardinality(weighed.weights) as length,
            (
                select sum(w.weight * substr(weighed.text, w.place::integer, 1)::integer)
                from unnest(weighed.weights) with ordinality as w (weight, place)
            ) as total
        from weighed
    )
    select
        substr(summed.text, 1, summed.length)
        || ((summed.total % 11 % 10 + 1) % 10)::text
        || case when person then demo.pick(13, key, 10)::text else '' end
    from summed
$$;
