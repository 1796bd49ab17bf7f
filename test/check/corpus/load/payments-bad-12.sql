-- of: good/payments-1.sql
- emptySummary: За {period} оплат не было.
+ emptySumary: За {period} оплат не было.
-- an unknown key of the front matter
-- 14: load: unknown key "emptySumary", did you mean "emptySummary"?
