-- of: good/won-deals-1.sql
-         coalesce(sum(deals.amount_kopecks) filter (where deals.won_at is not null), 0) as amount
+         sum(deals.amount_kopecks) filter (where deals.won_at is not null) as amount -- expect: null-metric
