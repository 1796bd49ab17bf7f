/*---
title: A
columns:
  amount: { title: amount, type: money, total: "count(*)" } # expect: count-as-total
key: [amount]
summary: "{row_count}"
---*/
select name, share, amount from t order by name
