/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(t.a) / sum(t.b)::numeric from t -- expect: zero-division
