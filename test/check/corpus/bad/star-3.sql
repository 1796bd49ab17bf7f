-- of: good/new-deals-1.sql
- from deals
+ from (select * from deals where deals.organization_id = :organization_id) as deals -- expect: star
