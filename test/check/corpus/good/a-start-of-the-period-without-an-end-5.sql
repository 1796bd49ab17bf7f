/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with started as (select id from deals where created_at >= :period_start_at), -- allow: missing-end because a deal ends after its start
ended as (select id from deals where closed_at < :period_end_at)
select 1 from started join ended on ended.id = started.id
