-- The product of the fault bench: twenty organizations, and one below the required tier. Each row of a report has a
-- mark that names its organization.
create table organizations (
    id integer primary key,
    time_zone text not null
);

create table keys (
    hash bytea primary key,
    organization_id integer not null references organizations,
    revoked boolean not null default false,
    parameters jsonb
);

create table ledger (
    organization_id integer not null,
    id integer not null,
    note text not null,
    primary key (organization_id, id)
);

create table others (
    organization_id integer not null,
    id integer not null,
    primary key (organization_id, id)
);

create table drifting (
    organization_id integer not null,
    id integer not null,
    extra integer not null,
    primary key (organization_id, id)
);

-- The primary writes entries, so that a body shows how recent its data are.
create table entries (
    organization_id integer not null,
    id integer not null,
    primary key (organization_id, id)
);

-- Scenarios lock it on the primary.
create table locked (id integer);

-- The primary writes beats, so that a standby shows how old its data are.
create table beats (at timestamptz not null);

create table audit (noticed text not null);

insert into organizations select n, 'Europe/Moscow' from generate_series(1, 21) as n;
insert into keys select sha256(convert_to('key of organization ' || n, 'UTF8')), n from generate_series(1, 21) as n;
-- Keys of the first organization that may read one part each.
insert into keys select sha256(convert_to('key of part ' || n, 'UTF8')), 1, false, jsonb_build_object('part', n)
from generate_series(7, 8) as n;
insert into ledger select o, n, repeat('x', 50) from generate_series(1, 20) as o, generate_series(1, 50) as n;
insert into others select o, n from generate_series(1, 20) as o, generate_series(1, 50) as n;
insert into drifting select o, n, 0 from generate_series(1, 20) as o, generate_series(1, 50) as n;
insert into beats values (clock_timestamp());

-- why: definitions may not call functions of advisory locks, which can block an execution on a standby, nor volatile ones
create function wait_for_latch(latch integer) returns integer stable language plpgsql set lock_timeout = 0 as $$
begin
    perform pg_advisory_xact_lock_shared(latch);
    return latch;
end
$$;

-- The same by polling: the execution waits for no lock.
create function poll_latch(latch integer) returns integer stable language plpgsql as $$
begin
    while not pg_try_advisory_xact_lock_shared(latch) loop
        perform pg_sleep(0.01);
    end loop;
    return latch;
end
$$;

-- why: definitions may not call pg_sleep
create function wait_seconds(seconds double precision) returns void stable language sql
    as 'select pg_sleep(seconds)';

-- Waits for the lock of a table during the scan of another one.
create function read_locked() returns integer stable language plpgsql set lock_timeout = 0 as $$
begin
    perform from locked;
    return 1;
end
$$;

create function scribble(organization integer) returns integer stable language plpgsql as $$
begin
    insert into audit values ('written by a report');
    return organization;
end
$$;

-- What a hostile definition would try first: to allow writes to later statements of the session.
create function open_session(organization integer) returns integer stable language plpgsql as $$
begin
    perform set_config('default_transaction_read_only', 'off', false);
    return organization;
end
$$;

create function open_transaction(organization integer) returns integer stable language plpgsql as $$
begin
    perform set_config('transaction_read_only', 'off', true);
    insert into audit values ('written by a report');
    return organization;
end
$$;
