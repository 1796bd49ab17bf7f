/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select a from t where b not in (select u.b from u join v on v.id = u.b)
