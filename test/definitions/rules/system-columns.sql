-- right
select 'ctid' as a, xmin_at from t
-- 2: ctid depends on where a row is stored, expected a column of the product's
select a from t
  order by t.ctid
-- 1: xmin depends on where a row is stored
-- 1: tableoid depends on where a row is stored
select max(xmin::text) from t where (select min(u."tableoid") from u) is null
