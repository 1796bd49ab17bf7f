-- of: good/sales-1.sql
- key: [shop]
+ key: [shop] # unique
