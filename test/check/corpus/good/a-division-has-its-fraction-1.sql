/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 100.0 * count(t.x) / nullif(count(*), 0) from t
