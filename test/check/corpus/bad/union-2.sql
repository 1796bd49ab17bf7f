/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s (x) as (select a from t union select b from u) select sum(x) from s -- expect: union
