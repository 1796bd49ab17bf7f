/*---
title: Чеки одного знака
columns:
  receipt: { title: Номер, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [receipt]
parameters:
  sign: { title: Знак, type: text, required: true, values: { "с плюсом & 0": Приход, minus: Возврат } }
summary: За {period} на {amount}.
---*/
select receipts.id::text as receipt, receipts.amount_kopecks as amount
from receipts
where receipts.sold_at >= :period_start_at
  and receipts.sold_at < :period_end_at
  and (receipts.amount_kopecks < 0) = (:sign = 'minus')
order by receipts.id
