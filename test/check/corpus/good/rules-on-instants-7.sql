/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select t.day_at::date from jsonb_to_record(:as_of) as t (day_at date)
