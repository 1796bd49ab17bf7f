-- of: good/payments-1.sql
- title: Оплаты по контрагентам
+ title: Оплаты: по контрагентам
-- 2: load: YAML:
