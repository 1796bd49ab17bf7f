-- of: good/sales-1.sql
- summary: За {period} продано на {amount}.
+ summary: "За {period_dates} продано на {amount}." # missed: summary-words
