/*---
title: A
columns:
  a: { title: a, type: integer, total: "count(a) / count(*)" } # expect: integer-division # expect: zero-division
key: [a]
summary: "{row_count}"
---*/
select count(*) as a, count(x) as b, sum(x) as c from t group by k
