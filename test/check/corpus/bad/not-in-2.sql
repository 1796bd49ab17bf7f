/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select a from t where b not in (select u.id from t left join u on u.id = t.b) -- expect: not-in
