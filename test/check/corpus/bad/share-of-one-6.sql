/*---
title: A
columns:
  p: { title: p, type: percent, total: "round(sum(margin) / nullif(sum(a), 0), 3)" } # missed: share-of-one
  margin: { title: margin, type: money }
key: [p]
summary: "{row_count}"
---*/
select 100.0 * t.margin / t.b as p, t.margin_kopecks as margin, t.b as a from t
