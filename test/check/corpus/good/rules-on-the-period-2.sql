/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with visits_here as (select left_at from visits
where came_at < :period_end_at and left_at > :period_start_at)
select count(*) filter (where left_at < :period_end_at) from visits_here
