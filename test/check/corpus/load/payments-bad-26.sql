-- of: good/payments-1.sql
- summary: За {period} поступило {income}, выплачено {expenses}, плательщиков — {payers}.
+ summary: За {period} всё хорошо.
-- 13: load: summary: names no column, expected at least one figure, such as {row_count}
