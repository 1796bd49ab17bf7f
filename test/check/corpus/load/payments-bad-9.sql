-- of: good/payments-1.sql
- key: [counterparty_id]
+ key: [counterparty_id]
+ chart: { kind: pie, measures: [income], label: counterparty }
-- a chart of another kind
-- 11: load: chart.kind: found "pie", expected a kind of chart: columns, lines, bars
