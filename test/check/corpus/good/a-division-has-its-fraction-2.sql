/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(case when t.won then 1.0 else 0 end) / count(*) from t
