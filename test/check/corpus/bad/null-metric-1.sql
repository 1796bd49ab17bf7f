/*---
metrics:
  a: { title: a, format: money }
  b: { title: b, format: integer }
  c: { title: c, format: percent }
---*/
select 0 as b, -sum(t.a) + coalesce(sum(t.b), 0) as a from t -- expect: null-metric
