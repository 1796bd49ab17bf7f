/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select a from (select a from t fetch first row only) as s order by a -- expect: unordered-pick
