/*---
metrics:
  sales_won:    { title: Выиграно сделок, format: integer }
  sales_amount: { title: Сумма выигранных сделок, format: money }
  sales_share:  { title: Доля выигранных, format: percent }
---*/
select :period_end - :period_start as sales_won, 1 as sales_amount, 1.0 as sales_share
-- metrics of all organizations
-- 7: load: reads no table whose rows belong to organizations, expected one, or "shared: true" in the front matter
