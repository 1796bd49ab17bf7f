-- of: good/payments-1.sql
- summary: За {period} поступило {income}, выплачено {expenses}, плательщиков — {payers}.
+ summary: За {period} {income}, {payer}.
-- 13: load: summary: unknown {payer}, did you mean "payers"?
