/*---
title: A
columns:
  p: { title: p, type: percent }
  a: { title: a, type: money }
key: [p]
summary: "{row_count}"
---*/
select avg((t.x > 0)::int) as p from t -- expect: share-of-one
