-- right
select x.update, "into", for_update from x where x.delete > 1 and 'insert into' <> ''
select substring(a from 1 for 3), overlay(a placing b from 1 for 2) from t
with a as (select 1) select * from a
-- 2: delete writes, expected a statement that only reads
with a as (
  delete from t returning *
  ) select * from a
-- 1: insert writes
with a as (select 1), b as (insert into t values (1) returning *) select * from b
-- 1: merge writes
with a as (merge into t using u on true when matched then do nothing returning 1) select 1
-- 2: select ... into makes a table
select a
  into b
  from t
-- 3: for update locks rows
select 1 from t -- not for update
  where a <> 'for update'
  for /* rows */ update
-- 1: for share locks rows
-- 1: for key share locks rows
select 1 from (select 2 from t for share) as u for key share
