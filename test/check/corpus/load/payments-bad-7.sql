-- of: good/payments-1.sql
- key: [counterparty_id]
+ key: [counterparty_id]
+ chart: { kind: bars, measures: [incom, counterparty_id], label: counterparty }
-- a chart of other columns
-- 11: load: chart.measures: no column "incom", did you mean "income"?
