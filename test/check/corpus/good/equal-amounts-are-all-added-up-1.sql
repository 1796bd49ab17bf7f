/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select count(distinct a), sum(a), string_agg(distinct b, $$,$$) from t
