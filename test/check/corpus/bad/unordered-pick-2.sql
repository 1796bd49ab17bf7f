/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select a from (select a from t union select a from u limit 1) as s order by a -- expect: unordered-pick
