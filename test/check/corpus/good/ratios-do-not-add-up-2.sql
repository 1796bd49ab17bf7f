/*---
title: A
columns:
  x: { title: x, type: number, total: "sum(x)" }
key: [x]
summary: "{row_count}"
---*/
select case when rank() over (order by a) = 1 then a else 0 end as x from t
