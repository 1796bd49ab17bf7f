/*---
title: A
columns:
  a: { title: a, type: integer }
  b: { title: b, type: money }
key: [a]
summary: "{row_count}"
---*/
select grouping(t.x) as a, t.b::int::bigint from t
