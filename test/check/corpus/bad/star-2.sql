/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select t.* from t join u on u.id = t.u_id -- expect: star
