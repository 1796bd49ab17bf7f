/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select :period_start + n from generate_series(0, :period_end - :period_start - 1) as n
