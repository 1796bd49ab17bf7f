/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from deals where closed_at >= :period_start_at and created_at < :period_start_at
