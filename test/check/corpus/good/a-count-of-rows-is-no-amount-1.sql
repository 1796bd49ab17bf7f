/*---
title: A
columns:
  amount: { title: amount, type: money, total: "count(*) filter (where amount > 0)" }
key: [amount]
summary: "{row_count}"
---*/
select name, share, amount from t order by name
