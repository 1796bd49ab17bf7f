-- Organizations by id and by optional nickname, only for `--org` of the command line. `check` uses those with a
-- nickname.
select
    organizations.id as organization_id,
    nicknames.nickname,
    organizations.time_zone
from organizations
left join (
    values
    ('5d0a0000-0000-4000-8000-000000000001'::uuid, 'business'),
    ('5d0a0000-0000-4000-8000-000000000002'::uuid, 'vladivostok'),
    ('5d0a0000-0000-4000-8000-000000000003'::uuid, 'empty'),
    ('5d0a0000-0000-4000-8000-000000000004'::uuid, 'large')
) as nicknames (organization_id, nickname) on nicknames.organization_id = organizations.id
order by nicknames.nickname
