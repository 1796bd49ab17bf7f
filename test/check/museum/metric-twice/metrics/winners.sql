/*---
metrics:
  sales_won:    { title: Всего выиграно, format: integer }
  winners_amount: { title: Общая сумма выигранных сделок, format: money }
  winners_share:  { title: Общая доля выигранных, format: percent }
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
    ended.amount as winners_amount,
    round(100.0 * ended.won / nullif(ended.deals, 0), 1) as winners_share
from ended
-- check: 3: metric "sales_won" is also in
