/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with recursive r as (select a from s), s as (select a from q), q as (select 1 as a) table r
