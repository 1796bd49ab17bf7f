-- of: good/sales-1.sql
- summary: За {period} продано на {amount}.
+ summary: "Продано {period_dates} на {amount}, доля {share}, строк {row_count} % 3."
