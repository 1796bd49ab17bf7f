-- right
select 1 order by 1
select 1 order by 1;
(select 1 union all select 2) order by 1;; -- done
with a as (select 1 as x) select x from a order by x
(with a as (select 1 as x) (select x from a order by x))
table t order by 1
-- 1: no order by at the top level
select 1
select 1 from (select 2 order by 1) as a
select array_agg(a order by a), rank() over (order by a) from t
-- 2: a second statement, expected one in a file
select 1 order by 1;
  select 2
-- 1: the statement "update", expected a select
update t set a = 1
-- 1: the statement "insert", expected a select
with a as (select 1) insert into t select * from a
-- 1: the statement "create table as", expected a select
create table t as select 1
