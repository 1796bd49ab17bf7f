-- of: good/payments-1.sql
- summary: За {period} поступило {income}, выплачено {expenses}, плательщиков — {payers}.
+ summary: "{income}, {payers, plural, one {#} few {#} mny {#} other {#}} за {period}."
-- 13: load: summary: "mny" is not a form of {payers, plural, ...}, did you mean "many"?
