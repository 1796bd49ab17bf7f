/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select a from t left join lateral (select b from u where u.x = t.x limit 1) as l on true order by a -- expect: unordered-pick
