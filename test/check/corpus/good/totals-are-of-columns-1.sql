/*---
title: A
columns:
  a: { title: a, type: integer, total: "(select max(total) from (select sum(b) as total from report group by a) as sums)" }
  b: { title: b, type: money }
key: [a]
summary: "{row_count}"
---*/
select a, b from t
