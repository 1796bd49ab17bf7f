-- of: good/new-deals-1.sql
-   and deals.created_at < :period_end_at
+   and deals.created_at <= :period_end_at -- expect: inclusive-end
