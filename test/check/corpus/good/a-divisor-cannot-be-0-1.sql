/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (select count(*) as n from t group by t.k) select 100.0 * s.n / sum(s.n) over () from s
