/*---
title: Продажи
columns:
  shop:   { title: Магазин, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
  cost:   { title: Стоимость, type: money, total: sum(cost) }
  share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
key: [shop]
summary: За {period} продано на {amount}.
---*/
-- nothing
-- nothing but a comment
-- 1: load: no SQL, expected one select
