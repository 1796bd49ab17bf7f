/*---
title: A
columns:
  a: { title: a, type: integer, total: "sum(a) / sum(b)" }
key: [a]
summary: "{row_count}"
---*/
select sum(t.x) as a, count(*) as b from t group by t.k
