/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from deals left join tasks on tasks.deal_id = deals.id and tasks.due_on < :period_end
where deals.created_on >= :period_start -- missed: missing-end
