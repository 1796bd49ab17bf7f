/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with s as (select 1) select a from public.s -- missed: unread-cte
