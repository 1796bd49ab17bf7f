/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(t.a) / count(*) filter (where t.b) from t -- expect: zero-division
