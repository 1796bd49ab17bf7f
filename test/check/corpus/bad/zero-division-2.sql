/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(t.a) / coalesce(sum(t.b), 0) from t -- expect: zero-division
