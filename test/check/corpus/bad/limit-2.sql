/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
(select a from t) union all select b from u order by a limit 3 -- expect: limit
