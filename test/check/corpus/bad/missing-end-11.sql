/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select id from deals where lost_at >= :period_start_at and lost_at < :period_end_at and size > 9
union all
select id from deals where lost_at >= :period_start_at and size <= 9 -- expect: missing-end
