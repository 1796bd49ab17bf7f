/*---
title: A
columns:
  a: { title: a, type: integer }
  b: { title: b, type: money }
key: [a]
summary: "{row_count}"
---*/
select t.a, t.b, count(*) from t -- missed: selected-columns
