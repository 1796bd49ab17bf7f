/*---
metrics:
  a: { title: a, format: money }
  b: { title: b, format: integer }
  c: { title: c, format: percent }
---*/
select 0 as a, 0 as b, sum(t.a) / nullif(sum(t.b), 0) as c from t -- expect: share-of-one
