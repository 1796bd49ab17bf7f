-- of: good/payments-1.sql
- key: [counterparty_id]
+ key: [counterparty_id]
+ chart: { kind: columns, measures: [income, share, counterparty], label: counterparty, order: rows }
-- a chart of unlike measures, over no time
-- 11: load: chart.measures: column "counterparty" is no measure, expected a number that is not in the key
-- 11: load: chart.measures: found money and percent and text, expected one type and unit: one axis
-- 11: load: chart.label: found a column of type text, expected date, month, datetime
-- 11: load: chart.order: columns have the order of time, expected no order
-- 11: load: chart.label: no time is in the key, so rows are added up by "counterparty", and "income" has no aggregation
