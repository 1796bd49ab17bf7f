-- of: good/new-deals-1.sql
- key: [deal_id]
+ key: [created_on, amount, title]
-     deals.id::text as deal_id,
+     deals.lost_reason as deal_id,
-- a label that is null
-- 4: label: expected a text
