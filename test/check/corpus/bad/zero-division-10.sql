/*---
title: A
columns:
  a: { title: a, type: integer, total: "sum(a) / coalesce(sum(b), 0)" } # expect: zero-division
key: [a]
summary: "{row_count}"
---*/
select sum(t.x) as a, count(*) as b from t group by t.k
