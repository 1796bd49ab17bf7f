-- of: good/new-deals-1.sql
-     (deals.created_at at time zone :time_zone)::date as created_on,
+     deals.created_at::date as created_on, -- expect: session-day
