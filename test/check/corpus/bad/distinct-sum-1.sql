/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select avg(distinct a) filter (where b) from t -- expect: distinct-sum
