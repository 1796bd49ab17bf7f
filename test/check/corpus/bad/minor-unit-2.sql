/*---
title: A
columns:
  n: { title: n, type: number }
key: [n]
summary: "{row_count}"
---*/
select t.x,
t.price_cents / 100 as n from t -- missed: minor-unit
