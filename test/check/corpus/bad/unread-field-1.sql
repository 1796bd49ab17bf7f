-- of: good/payments-1.sql
-   counterparty_id: { title: Номер контрагента, type: integer, total: none }
+   counterparty_id: { title: Номер контрагента, type: integer, total: none }
+   project_count: { title: Проектов, type: integer, hidden: true } # missed: unread-field
-         count(*) as operations,
+         count(*) as operations, count(distinct operations.project_id) as project_count,
-     paid.expenses,
+ paid.expenses, paid.project_count,
