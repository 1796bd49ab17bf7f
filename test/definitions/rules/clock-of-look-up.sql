-- right
select now(), current_date, 'today'::date, age(a)
-- 1: current_user depends on the session or the server
select current_user
-- 1: set_config() depends on the session or the server
select set_config('role', 'x', true)
