-- of: good/sales-1.sql
- title: Продажи
+ titel: Продажи
- key: [shop]
+ keys: [shop]
-- many things at once
-- 2: load: unknown key "titel", did you mean "title"?
-- 8: load: unknown key "keys", did you mean "key"?
