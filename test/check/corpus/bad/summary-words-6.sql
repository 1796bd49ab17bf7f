-- of: good/sales-1.sql
- summary: За {period} продано на {amount}.
+ summary: "На {amount} {row_count, plural, one {# чек} few {# чека} other {# чеков}} за {period}." # missed: summary-words
