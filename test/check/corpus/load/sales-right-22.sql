-- of: good/sales-1.sql
- summary: За {period} продано на {amount}.
+ summary: "На {amount} у {row_count, plural, one {# магазина} other {# магазинов}}."
