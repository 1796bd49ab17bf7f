-- of: good/new-deals-1.sql
-     (deals.created_at at time zone :time_zone)::date as created_on,
+     moments.moment::date as created_on,
- from deals
+ from deals
+ join (select moved.id, (array[moved.created_at])[1] as moment from deals as moved where moved.organization_id = :organization_id) as moments
+     on moments.id = deals.id
-- an instant of another name that becomes a day
-- 16: session-zone: the result depends on the session time zone
