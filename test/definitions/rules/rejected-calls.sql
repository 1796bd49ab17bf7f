-- right
select shop.now(), shop.version(1), a.now, b.user, "current_user", t."current_date" from t
select "NOW"(), "Version"()
select age(:today, a), date_trunc('day', a at time zone :time_zone), extract(year from a)
select 'now', 'today'::text, 'today'::shop.date, name = 'tomorrow', 'monday'::date
select date(a), shop.date('today'), array[to_date('now', 'x')]::date[], date('monday')
select (row).file, (a).pg_size_bytes, (t.a).user from t
-- 1: now() reads the clock, expected :today, :as_of or :now
select now()
-- 1: now() reads the clock
select Pg_Catalog."now"()
select U&"n\006fw"()
-- 2: now() reads the clock
select 1
  from NOW() as n
-- 1: current_date reads the clock
-- 1: localtime reads the clock
select current_date, LOCALTIME(2)
-- 1: system_user depends on the session or the server
-- 1: current_user depends on the session or the server
-- 1: user depends on the session or the server
-- 1: current_catalog depends on the session or the server
select current_user, user, system_user, current_catalog
-- 1: age() of one argument reads the clock, expected age(:today, ...)
select age(a)
-- 1: 'today' as a date reads the clock
-- 1: 'Now' as a date reads the clock
-- 1: ' tomorrow 10:00' as a date reads the clock
select 'today'::date, timestamp 'Now', cast(' tomorrow 10:00' as timestamptz)
-- 1: '{2026-01-01,"Today"}' as a date reads the clock
-- 1: 'now' as a date reads the clock
-- 1: 'today' as a date reads the clock
-- 1: 'now' as a date reads the clock
select date('today'), pg_catalog.timestamptz('now'), '{2026-01-01,"Today"}'::date[], array['1', 'now']::date[]
-- 1: pg_read_file() is for administration
-- 1: lo_get() reaches large objects
select pg_read_file('a'), lo_get(1)
-- 1: (...).pg_read_file is pg_read_file(...), which is for administration
-- 1: (...).version is version(...), which depends on the session or the server
select ('a'::text).pg_read_file, (t.a).b.version from t
