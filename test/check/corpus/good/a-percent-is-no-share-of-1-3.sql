/*---
title: A
columns:
  p: { title: p, type: percent }
  a: { title: a, type: money }
key: [p]
summary: "{row_count}"
---*/
with s as (select t.a::numeric / t.b as q from t) select round(100 * s.q, 1) as p from s
