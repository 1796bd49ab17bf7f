-- The three recommended roles, one for each kind of connection. Roles belong to the cluster and are replicated to the
-- standby: execute this file on the primary as a superuser (required for temp_file_limit), after schema.sql. It can be
-- executed again at any time. Set passwords separately (`alter role svodka_reports password '...'`).

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

-- Log-in only: attributes that were granted manually are revoked.
alter role svodka_reports login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role svodka_keys login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role svodka_probe login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;

-- svodka_reports executes reports and metrics; it cannot read hashes of keys ---------------------------------

grant usage on schema public to svodka_reports;
grant select on
    employees, counterparties, accounts, categories, projects, operations,
    deal_sources, deal_stages, deals, deal_stage_visits,
    products, warehouses, sales, sale_lines, stock_movements,
    tasks, request_channels, requests
to svodka_reports;
-- why: an earlier version of this file granted these; the shipped definitions do not read them.
revoke all on organizations, api_keys from svodka_reports;

-- The settings below are session defaults. A session can change them (except temp_file_limit), so they only prevent
-- mistakes; the guarantees are the grants above and a server in recovery. The gateway's sessions set the same or
-- stricter values.

-- why: a standby rejects writes itself; after a promotion, this setting does by default.
alter role svodka_reports set default_transaction_read_only = on;
-- why: the default limit for a statement whose gateway died before it could cancel; definitions have lower timeouts.
alter role svodka_reports set statement_timeout = '60s';
-- why: on a standby, a report can only wait for a lock of replayed DDL.
alter role svodka_reports set lock_timeout = '5s';
-- why: an idle transaction delays replay, or vacuum on the primary with hot_standby_feedback.
alter role svodka_reports set idle_in_transaction_session_timeout = '10s';
-- why: if the gateway disconnects, its statement ends within half a second.
alter role svodka_reports set client_connection_check_interval = '500ms';
-- why: the text format of values depends on these.
alter role svodka_reports set TimeZone = 'UTC';
alter role svodka_reports set DateStyle = 'ISO, YMD';
alter role svodka_reports set IntervalStyle = 'iso_8601';
alter role svodka_reports set bytea_output = 'hex';
-- why: reports are short; compiling one costs more (30-300 ms) than it saves.
alter role svodka_reports set jit = off;
-- why: organizations differ in size, so each execution is planned for its values. Planning more join orders takes longer
-- than it saves.
alter role svodka_reports set plan_cache_mode = force_custom_plan;
alter role svodka_reports set join_collapse_limit = 4;
alter role svodka_reports set from_collapse_limit = 4;
-- why: one careless definition must not fill the standby's disk.
alter role svodka_reports set temp_file_limit = '1GB';
-- why: enough for several gateways, and within the usual max_connections of 100.
alter role svodka_reports connection limit 40;

-- svodka_keys finds the organization of a key --------------------------------------------------------------

grant usage on schema public to svodka_keys;
grant select on api_keys to svodka_keys;
grant select (id, name, tier, time_zone) on organizations to svodka_keys;

-- why: as for reports, by default.
alter role svodka_keys set default_transaction_read_only = on;
-- why: one index look-up, for which requests wait: a slow one should fail and be retried.
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
-- why: two connections for each gateway.
alter role svodka_keys connection limit 20;

-- svodka_probe probes the replica: lag, recovery, WAL receiver ----------------------------------------------

-- why: without pg_read_all_stats, the columns of pg_stat_wal_receiver are null for an ordinary role.
grant pg_read_all_stats to svodka_probe;

-- why: it only reads functions and views of the server, and the heartbeat table if the product has one (sql/README.md
-- has the grant).
alter role svodka_probe set default_transaction_read_only = on;
-- why: its queries read memory only; a slower response means that the replica is unhealthy.
alter role svodka_probe set statement_timeout = '2s';
-- why: it should never wait for a table lock; if it does, it should fail soon.
alter role svodka_probe set lock_timeout = '1s';
-- why: it executes single statements without a transaction; an open transaction would be an error.
alter role svodka_probe set idle_in_transaction_session_timeout = '5s';
-- why: as for reports.
alter role svodka_probe set client_connection_check_interval = '500ms';
-- why: its queries return one row, without JIT compilation or temporary files.
alter role svodka_probe set jit = off;
alter role svodka_probe set temp_file_limit = 0;
-- why: one connection for each gateway.
alter role svodka_probe connection limit 20;
