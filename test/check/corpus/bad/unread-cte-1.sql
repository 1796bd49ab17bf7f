/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with recursive s as (select 1 as a union all select a + 1 from s) select a from t -- missed: unread-cte
