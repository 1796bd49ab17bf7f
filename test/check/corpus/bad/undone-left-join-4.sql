/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (select id, kind from u) select t.a from t left join s on s.id = t.u_id where kind = 1 and t.b = 2 -- expect: undone-left-join
