/*---
title: A
columns:
  a: { title: a, type: integer, total: "sum(a)" }
key: [a]
summary: "{row_count}"
---*/
select t.x as a, b from t union select u.x, b from u order by a -- expect: union
