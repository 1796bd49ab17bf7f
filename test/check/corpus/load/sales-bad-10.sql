-- of: good/sales-1.sql
- /*---
+ /*
-- no front matter
-- 1: load: no front matter, expected the file to begin with /*---
