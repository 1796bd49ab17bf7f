/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(s.a) from (select a, b from t union all select a, b from u) as s
