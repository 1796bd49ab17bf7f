/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select t.k, max(case when t.b then 1 else 0 end) / count(*) from t group by t.k -- expect: integer-division
