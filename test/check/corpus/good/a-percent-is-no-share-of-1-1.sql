/*---
title: A
columns:
  p: { title: p, type: percent }
  a: { title: a, type: money }
key: [p]
summary: "{row_count}"
---*/
select sum(t.a) / (0.01 * nullif(sum(t.b), 0)) as p from t
