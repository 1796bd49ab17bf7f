-- The three roles that svodka is recommended to use, one for each of its kinds of connection.
-- Roles live in the whole cluster and reach the standby by replication: run this on the primary, as a
-- superuser (temp_file_limit needs one), after schema.sql. It may be run again at any time.
-- No passwords here: whoever runs this sets them (`alter role svodka_reports password '...'`).

do $$
declare
    role_name text;
begin
    foreach role_name in array array['svodka_reports', 'svodka_keys', 'svodka_probe'] loop
        if not exists (select from pg_roles where rolname = role_name) then
            execute format('create role %I', role_name);
        end if;
    end loop;
end
$$;

-- Nothing but a log-in: what a role was given by hand before is taken back.
alter role svodka_reports login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role svodka_keys login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role svodka_probe login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;

-- svodka_reports runs reports and metrics: all that they read, and never a key's hash ------------------------

grant usage on schema public to svodka_reports;
grant select on
    employees, counterparties, accounts, categories, projects, operations,
    deal_sources, deal_stages, deals, deal_stage_visits,
    products, warehouses, sales, sale_lines, stock_movements,
    tasks, request_channels, requests
to svodka_reports;
-- why: what an earlier version of this file, or a hand, has granted; no definition of ours reads them.
revoke all on organizations, api_keys from svodka_reports;

-- The settings below are defaults of a session, which may change them (all but temp_file_limit): they help against
-- slips. What holds whatever a session sets are the grants above and a server in recovery. Sessions of the gateway
-- set the same and shorter limits; behind a pooler, where they set nothing, all of these are what holds.

-- why: a standby refuses writes by itself; when it has been promoted, this refuses them by default.
alter role svodka_reports set default_transaction_read_only = on;
-- why: by default the ceiling for a report whose gateway died before it could cancel; definitions' own timeouts are
-- lower.
alter role svodka_reports set statement_timeout = '60s';
-- why: on a standby only the replay of a primary's DDL holds a lock that a report can wait for.
alter role svodka_reports set lock_timeout = '5s';
-- why: a forgotten transaction holds back replay, or vacuum on the primary with hot_standby_feedback.
alter role svodka_reports set idle_in_transaction_session_timeout = '10s';
-- why: a statement whose gateway has gone away ends within half a second.
alter role svodka_reports set client_connection_check_interval = '500ms';
-- why: what the text of a value hangs on.
alter role svodka_reports set TimeZone = 'UTC';
alter role svodka_reports set DateStyle = 'ISO, YMD';
alter role svodka_reports set IntervalStyle = 'iso_8601';
alter role svodka_reports set bytea_output = 'hex';
-- why: reports are short; compiling one costs more (30-300 ms) than it saves.
alter role svodka_reports set jit = off;
-- why: organizations differ in size, so every run is planned for its own; and few orders of joins are tried, for more
-- take longer to try than they save.
alter role svodka_reports set plan_cache_mode = force_custom_plan;
alter role svodka_reports set join_collapse_limit = 4;
alter role svodka_reports set from_collapse_limit = 4;
-- why: one careless definition must not fill the standby's disk.
alter role svodka_reports set temp_file_limit = '1GB';
-- why: several gateways with their pools, and still room in the usual max_connections of 100.
alter role svodka_reports connection limit 40;

-- svodka_keys finds the organization of a key --------------------------------------------------------------

grant usage on schema public to svodka_keys;
grant select on api_keys to svodka_keys;
grant select (id, tier, time_zone) on organizations to svodka_keys;

-- why: as for reports, by default.
alter role svodka_keys set default_transaction_read_only = on;
-- why: one index look-up; every request waits for it, so a slow one should fail and be tried again.
alter role svodka_keys set statement_timeout = '2s';
alter role svodka_keys set lock_timeout = '1s';
alter role svodka_keys set idle_in_transaction_session_timeout = '5s';
alter role svodka_keys set client_connection_check_interval = '500ms';
-- why: as for reports; a key's hash is compared as text.
alter role svodka_keys set TimeZone = 'UTC';
alter role svodka_keys set DateStyle = 'ISO, YMD';
alter role svodka_keys set IntervalStyle = 'iso_8601';
alter role svodka_keys set bytea_output = 'hex';
alter role svodka_keys set jit = off;
alter role svodka_keys set temp_file_limit = 0;
-- why: two connections a gateway.
alter role svodka_keys connection limit 20;

-- svodka_probe watches the replica: lag, recovery, the receiver ---------------------------------------------

-- why: without pg_read_all_stats the columns of pg_stat_wal_receiver are null to an ordinary role.
grant pg_read_all_stats to svodka_probe;

-- why: it reads functions and views of the server, and no table but the heartbeat where the product writes one
-- (sql/README.md has the grant): nothing to write.
alter role svodka_probe set default_transaction_read_only = on;
-- why: what it asks is in memory; an answer that takes longer says that the replica is ill.
alter role svodka_probe set statement_timeout = '2s';
-- why: it asks for no lock on a table; if it ever waits for one, that should be said soon.
alter role svodka_probe set lock_timeout = '1s';
-- why: each of its questions is one statement outside of a transaction; an open one would be a fault.
alter role svodka_probe set idle_in_transaction_session_timeout = '5s';
-- why: as for reports.
alter role svodka_probe set client_connection_check_interval = '500ms';
-- why: one row; there is nothing to compile and nothing to spill.
alter role svodka_probe set jit = off;
alter role svodka_probe set temp_file_limit = 0;
-- why: one connection a gateway.
alter role svodka_probe connection limit 20;
