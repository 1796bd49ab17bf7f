-- of: good/payments-1.sql
- title: Оплаты по контрагентам
+ # no title
-- 1: load: no key "title", expected a title
