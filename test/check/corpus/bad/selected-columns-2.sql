/*---
title: A
columns:
  a: { title: a, type: integer }
  b: { title: b, type: money }
key: [a]
summary: "{row_count}"
---*/
select t.a, t.b, 1 as a from t -- missed: selected-columns
