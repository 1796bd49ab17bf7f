-- The demo's API keys, as `make run` prints them. The tables contain only hashes, so the keys are here.
select
    demo_keys.api_key,
    organizations.name as organization,
    demo_keys.purpose
from (
    values
    (1, 'sk_demo_business', 'an organization of the usual size: start here'),
    (2, 'sk_demo_vladivostok', 'its days begin seven hours before Moscow''s'),
    (3, 'sk_demo_large', 'fifty times as many rows'),
    (4, 'sk_demo_empty', 'no rows at all'),
    (5, 'sk_demo_start', 'below the tier that has reports: 402'),
    (6, 'sk_demo_revoked', 'revoked: 401'),
    (7, 'sk_demo_warehouse', 'of the first one, may read stock_balance and stock_turnover of one warehouse')
) as demo_keys (place, api_key, purpose)
join api_keys on api_keys.key_sha256 = sha256(convert_to(demo_keys.api_key, 'UTF8'))
join organizations on organizations.id = api_keys.organization_id
order by demo_keys.place
