-- of: good/sales-1.sql
- )
+ )
+ , lasts as (select distinct on (sold.shop_id) sold.shop_id from sold) -- expect: unordered-pick
- from sold
+ from sold
+ join lasts on lasts.shop_id = sold.shop_id
