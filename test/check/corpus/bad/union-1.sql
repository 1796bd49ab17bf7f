/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (select a from t union distinct select a from u), r as (select * from s) select avg(r.a) from r -- missed: union
