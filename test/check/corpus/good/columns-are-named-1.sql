/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (select a from t) select s.*, u.b from s join u on u.a = s.a
