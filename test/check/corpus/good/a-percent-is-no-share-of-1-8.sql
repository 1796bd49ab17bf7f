/*---
title: A
columns:
  p: { title: p, type: percent }
  a: { title: a, type: money }
key: [p]
summary: "{row_count}"
---*/
select f(t.a, t.b) as p, t.a::numeric / t.b as a from t
