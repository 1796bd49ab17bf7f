-- of: good/payments-1.sql
- facts:
+ facts:
+   paying: { type: percent, total: "round(100 * count(counterparty_id) filter (where income > 0) / nullif(count(*), 0), 1)" } # expect: integer-division
- summary: За {period} поступило {income}, выплачено {expenses}, плательщиков — {payers}.
+ summary: За {period} поступило {income}, выплачено {expenses}, плательщиков — {payers} ({paying}).
