/*---
metrics:
  a: { title: a, format: integer }
---*/
select sum(t.a) as a from t limit 1 -- expect: null-metric
