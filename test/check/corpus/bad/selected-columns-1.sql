/*---
title: A
columns:
  a: { title: a, type: integer }
  b: { title: b, type: money } # missed: selected-columns
key: [a]
summary: "{row_count}"
---*/
select t.a,
t.c from t -- missed: selected-columns
