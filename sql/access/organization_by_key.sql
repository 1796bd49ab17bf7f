-- Organizations of key hashes, and what each key may read: one row for each key that is valid now.
select
    api_keys.key_sha256 as key_hash,
    organizations.id as organization_id,
    organizations.time_zone,
    organizations.tier in ('business', 'enterprise') as entitled,
    organizations.name as organization_name,
    api_keys.reports,
    api_keys.parameters
from api_keys
join organizations on organizations.id = api_keys.organization_id
where api_keys.key_sha256 = any (:key_hashes)
  and api_keys.revoked_at is null
