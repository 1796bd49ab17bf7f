-- The activity of each organization on each day: 1 on an average day. Prices and demand grow from year to year.

select demo.prepare();

create unlogged table demo.day (
    o integer not null,
    day date not null,
    -- seed of the day's facts: adding an ordinal below 10000 gives a key that is unique over all days
    key bigint not null,
    -- factors of the buyers' demand, of work on weekdays, and of prices
    demand float8 not null,
    work float8 not null,
    price float8 not null
);
insert into demo.day (o, day, key, demand, work, price)
select
    organization.o,
    calendar.day::date,
    (organization.o * 10000 + (calendar.day::date - date '2000-01-01')) * 10000::bigint,
    (array[0.68, 0.86, 1.0, 0.98, 0.9, 0.94, 0.88, 0.95, 1.06, 1.08, 1.16, 1.5])[facts.month]
        * (array[1.1, 1.1, 1.15, 1.15, 1.3, 0.75, 0.45])[facts.weekday]
        * (1 + 0.06 * facts.years)
        * facts.holiday,
    (array[1.2, 1.3, 1.25, 1.25, 1.2, 0.5, 0.3])[facts.weekday] * facts.holiday,
    1 + 0.07 * facts.years
from demo.organization
cross join lateral generate_series(organization.start_on::timestamp, demo.today()::timestamp, '1 day') as calendar (day)
cross join lateral (
    select
        extract(month from calendar.day)::integer as month,
        extract(isodow from calendar.day)::integer as weekday,
        (calendar.day::date - demo.first_day()) / 365.25::float8 as years,
        case
            when extract(month from calendar.day) = 1 and extract(day from calendar.day) <= 8 then 0.35
            when extract(month from calendar.day) = 5 and extract(day from calendar.day) in (1, 9) then 0.4
            else 1
        end as holiday
) as facts
where organization.size > 0;
analyze demo.day;

-- The number of facts of a day, if `rate` facts a year are expected for an organization of size 1.
create function demo.facts(rate float8, size float8, factor float8, seed integer, key bigint) returns integer
language sql immutable parallel safe
return floor(rate / 365.25 * size * demo.scale() * factor + demo.u(seed, key))::integer;
