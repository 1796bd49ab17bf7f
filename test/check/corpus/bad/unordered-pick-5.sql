/*---
metrics:
  a: { title: a, format: integer }
---*/
select t.a from t limit 1 -- expect: unordered-pick
