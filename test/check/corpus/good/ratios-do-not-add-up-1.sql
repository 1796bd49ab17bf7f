/*---
title: A
columns:
  x: { title: x, type: number, total: "sum(x)" }
key: [x]
summary: "{row_count}"
---*/
select avg(a) * count(a) as x from t group by b
