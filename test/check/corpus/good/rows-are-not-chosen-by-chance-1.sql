/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select a from t where (select true from u where u.t_id = t.id limit 1) order by a
