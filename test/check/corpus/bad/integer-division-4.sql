/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select count(*) over () / row_number() over (order by u.x) from u -- expect: integer-division
