/*---
title: A
columns:
  p: { title: p, type: percent }
  a: { title: a, type: money }
key: [p]
summary: "{row_count}"
---*/
select 1.0 * count(*) filter (where t.x > 1000) / count(*) as p from t -- expect: share-of-one
