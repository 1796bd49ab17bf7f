/*---
title: A
columns:
  a: { title: a, type: integer }
  b: { title: b, type: money } # missed: selected-columns
key: [a]
summary: "{row_count}"
---*/
select t.a, case when t.x then 1 else 2::int end from t -- missed: selected-columns
