-- Joins first and groups by names; each movement is weighted by its days in stock; days are compared as text.
with movements as (
    select
        p.id,
        p.name,
        p.sku,
        m.kind,
        m.quantity,
        m.cost_kopecks,
        to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') as day
    from stock_movements m
    join products p on p.organization_id = m.organization_id and p.id = m.product_id
    where m.organization_id = :organization_id
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and p.kind = 'goods'
      and :as_of >= :period_start
),
sums as (
    select
        id,
        name,
        sku,
        sum(cost_kopecks::numeric * (:as_of + 1 - greatest(day::date, :period_start))) as kopeck_days,
        coalesce(-sum(cost_kopecks) filter (
            where kind in ('sale', 'customer_return')
              and day >= to_char(:period_start, 'YYYY-MM-DD')
        ), 0) as cost_of_sales,
        sum(quantity) as closing,
        sum(cost_kopecks) as value,
        max(day) filter (where kind = 'sale')::date as last_sale
    from movements
    group by id, name, sku
),
figures as (
    select
        sums.*,
        round(1.00000000000000000000 * kopeck_days / nullif(:as_of + 1 - :period_start, 0)) as average_stock,
        round(1.00000000000000000000 * kopeck_days / nullif(greatest(cost_of_sales, 0), 0), 1) as turnover_days,
        (select sum(kopeck_days) from sums) as all_kopeck_days
    from sums
)
select
    name as product,
    sku,
    average_stock,
    cost_of_sales,
    turnover_days,
    closing,
    value,
    last_sale,
    :as_of - last_sale as idle_days,
    case
        when closing <= 0 then 'Нет остатка'
        when last_sale is null or last_sale <= :as_of - 90 then 'Неликвид'
        when turnover_days is null or turnover_days > 90 then 'Медленный'
        else 'Ходовой'
    end as state,
    all_kopeck_days
from figures
where average_stock <> 0
   or cost_of_sales <> 0
   or closing <> 0
   or value <> 0
order by value desc, name collate "C", id
