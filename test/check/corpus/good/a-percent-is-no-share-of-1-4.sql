/*---
title: A
columns:
  p: { title: p, type: percent }
  a: { title: a, type: money }
key: [p]
summary: "{row_count}"
---*/
select sum(t.share * t.a) / nullif(sum(t.a), 0) as p from t
