-- of: good/sales-1.sql
-   shop:   { title: Магазин, type: text }
+   shop:   { title: Магазин, type: text, hiden: true }
-- an unknown key of a column
-- 4: load: columns.shop: unknown key "hiden", did you mean "hidden"?
