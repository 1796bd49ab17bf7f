-- of: good/new-deals-1.sql
-     deals.id::text as deal_id,
+     (row_number() over ())::text as deal_id, -- expect: unordered-pick
