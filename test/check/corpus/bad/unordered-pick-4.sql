/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
(select a from t limit 1) union all select b from u order by a -- expect: unordered-pick
