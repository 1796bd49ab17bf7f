-- of: good/new-deals-1.sql
- maxRows: 200000
+ maxRows: 200000
+ budget: { buffersPerThousandRows: 5000, seqScan: any, spill: none }
-     deals.title,
+     repeat(deals.title, 200) as title,
- order by deals.created_at, deals.id
+ order by repeat(deals.title, 200) collate "C", deals.id
-- a sort that spills where the budget forbids it
-- 13: budget: MiB of temporary files, expected none
