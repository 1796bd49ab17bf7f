/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select t.a / sum(t.a) over () from t -- expect: zero-division
