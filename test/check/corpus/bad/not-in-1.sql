/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select a from t where b <> all (select u.b from u) -- missed: not-in
