/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select case when b = null then 1 end from t -- expect: null-comparison
