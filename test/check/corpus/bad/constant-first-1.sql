/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select coalesce(0::bigint, b) from t -- missed: constant-first
