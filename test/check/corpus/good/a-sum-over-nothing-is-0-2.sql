/*---
metrics:
  a: { title: a, format: money }
  b: { title: b, format: integer }
  c: { title: c, format: percent }
---*/
select greatest(sum(t.a), 0) as a, 0 as b from t
