/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (table t) table s -- expect: star
