/*---
metrics:
  a: { title: a, format: money }
  b: { title: b, format: integer }
  c: { title: c, format: percent }
---*/
with s as (
select sum(t.a)::bigint as x from t) select s.x as a, 0 as b from s -- expect: null-metric
