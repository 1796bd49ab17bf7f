-- of: good/new-deals-1.sql
-     deals.title,
+
-- a column is not selected
-- 6: prepare: column "title" does not exist
