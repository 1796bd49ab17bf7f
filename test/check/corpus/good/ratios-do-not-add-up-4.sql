/*---
title: A
columns:
  x: { title: x, type: number, total: "sum(x)" }
key: [x]
summary: "{row_count}"
---*/
with s as (select rank() over (order by a) as x, b from t) select count(s.x) as x from s group by s.b
