-- of: good/new-deals-1.sql
-     (deals.created_at at time zone :time_zone)::date as created_on,
+     deals.created_at as created_on,
-- 5: prepare: column "created_on" is timestamptz, expected date
