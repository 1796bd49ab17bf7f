/*---
metrics:
  sales_won:    { title: Выиграно сделок, format: integer }
  sales_amount: { title: Сумма выигранных сделок, format: money }
  sales_share:  { title: Доля выигранных, format: percent }
---*/
with ended as (
    select
        count(deals.won_at) as won,
        count(*) as deals,
        coalesce(sum(deals.amount_kopecks) filter (where deals.won_at is not null), 0) as amount
    from deals
    where deals.organization_id = :organization_id
      and coalesce(deals.won_at, deals.lost_at) >= :period_start_at
      and coalesce(deals.won_at, deals.lost_at) < :period_end_at
)
select
    ended.won as sales_won,
    ended.amount::text as sales_amount,
    round(100.0 * ended.won / nullif(ended.deals, 0), 1) as sales_share
from ended
-- a metric as a text
-- 4: prepare: column "sales_amount" is text, expected int2
