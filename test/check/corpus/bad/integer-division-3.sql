/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (select count(*) as n from t), r as (select coalesce(s.n, 0) as n from s) select 100 * n / greatest(n, 1) from r -- expect: integer-division
