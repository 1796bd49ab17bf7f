-- of: good/payments-1.sql
-     where operations.organization_id = :organization_id
+     where operations.organization_id = '5d0a0000-0000-4000-8000-000000000001' -- expect: literal-id
