/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from deals where deals.created_at < :period_end_at and exists (
select from visits where visits.deal_id = deals.id and visits.came_at >= :period_start_at) -- expect: missing-end
