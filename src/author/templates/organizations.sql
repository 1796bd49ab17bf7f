-- Fill in the names of your tables. Organizations for --org of the command line. `svodka check` uses those that have a
-- nickname: choose a large, a small and an empty one.
select
    organizations.id as organization_id,
    case organizations.id::text when '1' then 'large' when '2' then 'small' end as nickname,
    organizations.time_zone
from organizations
