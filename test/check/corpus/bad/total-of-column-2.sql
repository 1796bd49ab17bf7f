/*---
title: A
columns:
  a: { title: a, type: integer, total: "(select max(total) from (select sum(c) as total from report group by a) as sums)" } # missed: total-of-column
  b: { title: b, type: money }
key: [a]
summary: "{row_count}"
---*/
select a, b from t
