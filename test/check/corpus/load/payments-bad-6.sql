-- of: good/payments-1.sql
-   counterparty_id: { title: Номер контрагента, type: integer, total: none }
+   counterparty_id: { title: Номер контрагента, type: integer, hidden: true }
-- a key that is hidden
-- 10: load: key: column "counterparty_id" is hidden, expected a visible one
