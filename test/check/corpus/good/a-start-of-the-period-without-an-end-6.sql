/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from deals where created_at >= :period_start_at
and id in (select deal_id from ends where ended_at < :period_end_at)
