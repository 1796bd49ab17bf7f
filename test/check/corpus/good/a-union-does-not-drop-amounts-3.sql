/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(s.a) from (select 'in' as k, sum(a) as a from t union select 'out', sum(a) from u) as s
