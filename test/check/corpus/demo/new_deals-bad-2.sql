-- of: good/new-deals-1.sql
-     deals.title,
+     deals.title, deals.won_at,
-- a column too many
-- 17: columns: column "won_at" is selected and not declared
