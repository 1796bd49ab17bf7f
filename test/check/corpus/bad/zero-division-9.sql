/*---
title: A
columns:
  a: { title: a, type: integer, total: "sum(a) / sum(b)" } # expect: zero-division
key: [a]
summary: "{row_count}"
---*/
select a, b from t order by a
