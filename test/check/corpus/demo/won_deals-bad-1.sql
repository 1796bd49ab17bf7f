-- of: good/won-deals-1.sql
-     ended.amount as sales_amount,
+     ended.amount::text as sales_amount,
-- a metric as a text
-- 4: prepare: column "sales_amount" is text, expected int2
