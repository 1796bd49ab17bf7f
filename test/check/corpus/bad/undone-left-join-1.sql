/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select t.a from t left join u on u.id = t.u_id where u.kind in ('x', 'y') -- expect: undone-left-join
