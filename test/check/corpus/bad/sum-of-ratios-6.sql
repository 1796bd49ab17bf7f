/*---
title: A
columns:
  x: { title: x, type: number, total: "sum(x)" } # expect: sum-of-ratios
key: [x]
summary: "{row_count}"
---*/
select sum(a) over (partition by b) as x from t
