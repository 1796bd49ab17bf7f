/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sum(least(until, :period_end) - greatest(since, :period_start)) from spans
where until >= :period_start
