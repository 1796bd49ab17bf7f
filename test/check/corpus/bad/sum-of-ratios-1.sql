/*---
title: A
columns:
  x: { title: x, type: number, total: "sum(x)" } # expect: sum-of-ratios
key: [x]
summary: "{row_count}"
---*/
with s as (select avg(a) as m from t) select round(s.m, 1) as x from s
