/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select u.id, (select max(v.x) from v where v.t_id = u.id) from t left join u on u.id = t.u_id
