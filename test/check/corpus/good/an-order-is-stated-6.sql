/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select a from t where a = any (array(select b from u)) and b = any ((select array_agg(c) from u)::int[])
