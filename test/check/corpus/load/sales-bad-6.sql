-- of: good/sales-1.sql
- summary: За {period} продано на {amount}.
+ summary: "За {period} продано на {amount} в {shop}."
-- 9: load: summary: {shop} has no total to print, expected a column that has one, or a fact
