-- of: good/new-deals-1.sql
-   amount:     { title: Сумма, type: money, total: sum(amount) }
+   amount:     { title: Сумма, type: money, total: none }
- summary: За {period} создано сделок — {row_count}, на {amount}.
+ summary: За {period} создано сделок — {row_count}.
-     deals.amount_kopecks as amount
+     deals.amount_kopecks::text as amount
-- money as a text
-- 8: prepare: column "amount" is text, expected int2
