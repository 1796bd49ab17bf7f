-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ maxRows: 0
-- 9: load: maxRows: found 0, expected a whole number of rows above 0
