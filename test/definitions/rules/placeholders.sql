-- right
select :organization_id
select 1 where (:organization_id)::uuid = id and d < :period_end_at
select a[(:as_of):2], b[1:2], c[x:y], d[:n] from t where o = :organization_id
-- 1: no :organization_id, expected a condition on it
select ':organization_id' -- :organization_id
-- 1: unknown placeholder :организация, expected
-- 3: for update locks rows
-- 1: no :organization_id
select :организация, a
  from t
  for update
-- 2: unknown placeholder :Today, did you mean ":today"?
-- 2: parameter $1, expected a placeholder by name
select :organization_id,
  :Today, $1
-- 1: ":" here is a slice of an array, expected the placeholder in parentheses: (:period_end)
select a[1:period_end] from t where o = :organization_id
-- 1: ":" here is a slice of an array, expected the placeholder in parentheses: (:as_of)
select a[:as_of] from t where o = :organization_id
