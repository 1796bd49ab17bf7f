-- of: good/sales-1.sql
- summary: За {period} продано на {amount}.
+ summary: {amount}
-- a summary that YAML reads as keys
-- 9: load: summary: found keys and values, expected a sentence in ICU MessageFormat; a text that begins with { needs quotes
