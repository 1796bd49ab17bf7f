/*---
title: A
columns:
  a: { title: a, type: integer, total: "count(*) filter (where b is null)" }
key: [a]
summary: "{row_count}"
---*/
select a, b from t order by a
