-- Fill in the names of your tables. Maps API keys to organizations: one row for each key that is valid now.
select
    -- bytea, the 32 bytes of the key's SHA-256; a column with an index; if the table has texts: sql/README.md, "An index for the hash"
    api_keys.key_sha256 as key_hash,
    -- one column of any type
    organizations.id as organization_id,
    -- an IANA name; if all organizations have the same: 'Europe/Berlin' as time_zone
    organizations.time_zone,
    -- boolean: whether it may use the API
    true as entitled
from api_keys
join organizations on organizations.id = api_keys.organization_id
where api_keys.key_sha256 = any (:key_hashes)
