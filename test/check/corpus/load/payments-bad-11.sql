-- of: good/payments-1.sql
-   counterparty:    { title: Контрагент, type: text }
+   counterparty:    { title: Контрагент, type: integer, total: none }
-- no label
-- 3: load: columns: no visible column of type text, expected one for the totals' label
