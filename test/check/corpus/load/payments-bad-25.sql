-- of: good/payments-1.sql
- summary: За {period} поступило {income}, выплачено {expenses}, плательщиков — {payers}.
+ summary: За {period} {income, {payers}.
-- 13: load: summary: ICU MessageFormat:
