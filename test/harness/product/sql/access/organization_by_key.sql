select
    keys.hash as key_hash,
    organizations.id as organization_id,
    organizations.time_zone,
    organizations.id <= 20 as entitled,
    keys.parameters
from keys
join organizations on organizations.id = keys.organization_id
where keys.hash = any(:key_hashes)
  and not keys.revoked
