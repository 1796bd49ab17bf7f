/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select coalesce(b, 'none'), coalesce(null, b), coalesce(:as_of, b) from t
