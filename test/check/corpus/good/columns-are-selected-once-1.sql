/*---
title: A
columns:
  a: { title: a, type: integer }
  b: { title: b, type: money }
key: [a]
summary: "{row_count}"
---*/
select t.a collate "C", (t.b collate "C")::text from t
