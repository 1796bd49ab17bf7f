/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (select sum(t.b) as b from t) select t.a / s.b from t cross join s -- expect: zero-division
