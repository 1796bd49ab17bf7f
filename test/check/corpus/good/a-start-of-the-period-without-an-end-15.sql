/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from deals where created_at < :period_end_at and coalesce(closed_at, 'infinity') >= :period_start_at
