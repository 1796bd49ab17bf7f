/*---
title: A
columns:
  p: { title: p, type: percent }
  a: { title: a, type: money }
key: [p]
summary: "{row_count}"
---*/
select coalesce(sum(t.a) / nullif(sum(t.b), 0), 0) as p from t -- expect: share-of-one
