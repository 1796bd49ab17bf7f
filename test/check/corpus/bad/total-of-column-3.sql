/*---
title: A
columns:
  a: { title: a, type: integer, total: "round(sum(a) / nullif(count(bb), 0))" } # missed: total-of-column
  b: { title: b, type: money }
key: [a]
summary: "{row_count}"
---*/
select a, b from t
