/*---
title: A
columns:
  x: { title: x, type: number, total: "sum(x)" } # expect: sum-of-ratios
key: [x]
summary: "{row_count}"
---*/
select sum(a) over w as x from t window w as (order by b)
