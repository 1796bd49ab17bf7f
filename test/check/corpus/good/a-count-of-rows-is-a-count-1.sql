/*---
title: A
columns:
  n: { title: n, type: integer, total: "count(*)" }
key: [n]
summary: "{row_count}"
---*/
select name, share, amount from t order by name
