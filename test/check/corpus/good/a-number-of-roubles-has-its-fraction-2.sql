/*---
title: A
columns:
  n: { title: n, type: number }
key: [n]
summary: "{row_count}"
---*/
select t.seconds / 100 as n from t
