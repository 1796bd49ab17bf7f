/*---
title: A
columns:
  p: { title: p, type: percent }
  a: { title: a, type: money }
key: [p]
summary: "{row_count}"
---*/
select 1 - sum(t.a)::numeric / nullif(sum(t.b), 0) as p from t -- expect: share-of-one
