-- of: good/sales-1.sql
-   shop:   { title: Магазин, type: text }
+   shop:   { title: Магазин, type: text, total: none }
-- a total of the label
-- 4: load: columns.shop.total: this column carries the totals' label, expected no total
