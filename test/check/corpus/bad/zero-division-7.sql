/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select count(*) / sum(count(*)) over () from t group by rollup (t.k) -- missed: zero-division
