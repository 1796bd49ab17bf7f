-- of: good/sales-1.sql
- summary: За {period} продано на {amount}.
+ summary: "За {period} продано на {amount} руб." # expect: summary-words
