-- of: good/new-deals-1.sql
-   created_on: { title: Создана, type: date, total: none }
+   created_on: { title: Создана, type: month, total: none }
-     (deals.created_at at time zone :time_zone)::date as created_on,
+     to_char(deals.created_at, 'YYYY-MM') as created_on, -- expect: session-day
