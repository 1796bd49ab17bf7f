-- of: good/sales-1.sql
-     and shops.id = sold.shop_id
+     and shops.id = sold.shop_id
+ left join goods on goods.organization_id = :organization_id and goods.shop_id = sold.shop_id where goods.kind = 1 -- expect: undone-left-join
