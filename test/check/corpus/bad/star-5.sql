/*---
title: A
columns:
  a: { title: a, type: integer }
  b: { title: b, type: money }
key: [a]
summary: "{row_count}"
---*/
select t.*, 1 as c from t -- expect: star
