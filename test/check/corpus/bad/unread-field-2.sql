-- of: good/payments-1.sql
-   payers: { type: integer, total: count(*) filter (where income > 0 and counterparty_id <> 0) }
- summary: За {period} поступило {income}, выплачено {expenses}, плательщиков — {payers}.
+   payers: { type: integer, total: count(*) filter (where income > 0 and counterparty_id <> 0) } # missed: unread-field
+ summary: За {period} {income}.
