/*---
title: A
columns:
  n: { title: n, type: number }
key: [n]
summary: "{row_count}"
---*/
select max(t.amount_kopecks) / 100 as n from t -- missed: minor-unit
