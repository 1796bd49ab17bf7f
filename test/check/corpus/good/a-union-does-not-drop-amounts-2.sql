/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(s.a) from (select id, a from t union select id, a from u) as s
