/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select last_value(a) over (w rows unbounded preceding) from t window w as (partition by b order by a)
