-- of: good/new-deals-1.sql
- left join employees
+ left join employes as employees
-- a misspelt table
-- 21: load: employes is neither a table in sql/tenancy.yaml nor a CTE that is visible here, did you mean "employees"?
