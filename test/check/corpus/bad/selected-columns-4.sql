/*---
title: A
columns:
  a: { title: a, type: integer }
  b: { title: b, type: money } # missed: selected-columns
key: [a]
summary: "{row_count}"
---*/
select t.a, '1'::int::text from t -- missed: selected-columns
