/*---
title: A
columns:
  share: { title: share, type: percent, total: "max(share)" }
  amount: { title: amount, type: money }
key: [share]
summary: "{row_count}"
---*/
select name, share, amount from t order by name
