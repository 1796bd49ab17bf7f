/*---
metrics:
  a: { title: a, format: money }
  b: { title: b, format: integer }
  c: { title: c, format: percent }
---*/
select coalesce((select sum(t.a) from t), 0) as a, 0 as b
