-- of: good/sales-1.sql
- summary: За {period} продано на {amount}.
+ summary: "За {period} продано на {amount}, доля {share} %." # expect: summary-words
