/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select nullif(a, 0), coalesce(b, null) from t
