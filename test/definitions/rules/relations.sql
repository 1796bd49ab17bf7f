-- 1: sale is neither a table in sql/tenancy.yaml nor a CTE that is visible here, did you mean "sales"?
select shop, amount from sale
-- 1: Sales is neither a table in sql/tenancy.yaml nor a CTE that is visible here, did you mean "sales"?
select shop, amount from "Sales"
-- 2: payroll is neither a table in sql/tenancy.yaml nor a CTE that is visible here, expected its line there, as "payroll: <column>", "payroll: via <table> (<column> = <key>)" or "payroll: shared"
select shop, amount from sales
  where exists (select from payroll)
-- 2: payroll is neither
select * from sales union all (select * from sales
  except select * from payroll)
-- 1: payroll is neither
-- 1: wages is neither
-- 2: fees is neither
select sum(amount) filter (where (select true from payroll)) over (order by (select 1 from wages))
  from sales order by 1 limit (select 1 from fees)
-- 1: payroll is neither
-- 1: wages is neither
select * from sales order by (select a from payroll), array(select b from wages)
select * from sales, lateral (values ((select a from payroll))) as b, generate_series(1, (select c from wages)) as c
-- 1: public.sales is named with its schema, expected sales
select shop, amount from public.sales
-- 1: pg_stats is a relation of PostgreSQL itself, expected tables of sql/tenancy.yaml
select * from sales, pg_stats
-- 1: only sales leaves out rows of its partitions, expected sales
select * from only sales
-- 1: the CTE "sales" has the name of a table in sql/tenancy.yaml, expected another name
with a as (select 1), sales as (select * from units)
  select * from sales
-- 1: the CTE "pg_stats" has a name that begins with pg_, as those of PostgreSQL do, expected another name
-- 1: pg_stats is a relation
with pg_stats as (select * from pg_stats) select * from pg_stats, sales
-- 1: tools.other() is no function of pg_catalog, expected one, or if it reads no rows of organizations its line in sql/tenancy.yaml, as "tools.other(): shared"
-- 1: public.slug() is named with its schema, expected slug()
-- 1: tools.word() is named with its schema, expected word()
-- 1: tools.slug() is no function of pg_catalog
select tools.other(shop), public.slug(shop), tools.word(shop), tools.slug(shop) from sales
-- 1: operator(tools.=) is no operator of pg_catalog, expected one
-- 1: operator(tools.<>) is no operator
-- 2: operator(tools.<) is no operator
select * from sales where shop operator(tools.=) 'a' and amount operator(tools.<>) any (select 1)
  order by shop using operator(tools.<)
