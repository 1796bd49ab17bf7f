/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select first_value(a) over w from t window w as (partition by b) -- expect: unordered-pick
