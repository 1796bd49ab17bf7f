/*---
metrics:
  a: { title: a, format: money }
  b: { title: b, format: integer }
  c: { title: c, format: percent }
---*/
select case when count(*) > 0 then sum(t.a) else 0 end as a, 0 as b from t
