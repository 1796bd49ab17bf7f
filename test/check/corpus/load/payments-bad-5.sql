-- of: good/payments-1.sql
-     coalesce(counterparties.name, 'Без контрагента') as counterparty,
+     coalesce(counterparties.name, 'Без контрагента') as counterparty, false as is_total,
-- two kinds of totals
-- 5: load: columns.operations.total: the statement selects is_total
-- 6: load: columns.income.total: the statement selects is_total
-- 7: load: columns.expenses.total: the statement selects is_total
-- 8: load: columns.share.total: the statement selects is_total
-- 9: load: columns.counterparty_id.total: the statement selects is_total
-- 12: load: facts.payers.total: the statement selects is_total
