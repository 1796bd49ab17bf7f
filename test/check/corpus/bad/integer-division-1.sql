/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select count(*) filter (where t.x > 0) / count(*) over () from t -- expect: integer-division
