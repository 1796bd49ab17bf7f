-- of: good/new-deals-1.sql
-     deals.amount_kopecks as amount
+     round(extract(epoch from :now - deals.created_at)) as amount
