-- of: good/won-deals-1.sql
-     round(100.0 * ended.won / nullif(ended.deals, 0), 1) as sales_share
+     round(100 * ended.won / nullif(ended.deals, 0), 1) as sales_share -- expect: integer-division
