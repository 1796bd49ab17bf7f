/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (select count(*) as n, count(t.x) as m from t) select s.m / s.n from s -- expect: integer-division
