-- of: good/sales-1.sql
- title: Продажи
+ title:
-- an empty title
-- 2: load: title: found nothing, expected a title
