/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select a from (select string_agg(b, ',') as a from u) as s -- expect: unordered-pick
