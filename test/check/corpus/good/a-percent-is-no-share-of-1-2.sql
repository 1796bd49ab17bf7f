/*---
title: A
columns:
  p: { title: p, type: percent }
  a: { title: a, type: money }
key: [p]
summary: "{row_count}"
---*/
select '100'::numeric * sum(t.a) / nullif(sum(t.b), 0) as p from t
