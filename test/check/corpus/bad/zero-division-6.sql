/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (select count(*) as n from t) select 1 / sum(s.n) from s -- expect: zero-division
