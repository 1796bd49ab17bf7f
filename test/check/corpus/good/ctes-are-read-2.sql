/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as materialized (select 1 as a) select a from (select a from t) as x join (s cross join t) on true
