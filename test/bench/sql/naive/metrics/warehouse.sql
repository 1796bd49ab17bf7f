-- Movements with their products and days as text, and a subquery for each figure.
with movements as (
    select
        m.product_id,
        m.kind,
        m.quantity,
        m.cost_kopecks,
        to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') as day
    from stock_movements m
    join products p on p.organization_id = m.organization_id and p.id = m.product_id
    where m.organization_id = :organization_id
      and to_char(m.moved_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and p.kind = 'goods'
),
below_minimum as (
    select p.id
    from products p
    left join movements m on m.product_id = p.id
    where p.organization_id = :organization_id
      and p.kind = 'goods'
      and p.archived_at is null
    group by p.id, p.minimum_quantity
    having coalesce(sum(m.quantity), 0) < p.minimum_quantity
)
select
    (select coalesce(sum(cost_kopecks), 0) from movements) as stock_value,
    (select count(*) from below_minimum) as stock_below_minimum,
    case
        when :as_of >= :period_start
            then round(
                1.00000000000000000000
                    * (select sum(cost_kopecks::numeric * (:as_of + 1 - greatest(day::date, :period_start))) from movements)
                    / nullif(greatest(
                        (
                            select -sum(cost_kopecks)
                            from movements
                            where kind in ('sale', 'customer_return')
                              and day >= to_char(:period_start, 'YYYY-MM-DD')
                        ),
                        0
                    ), 0),
                1
            )
    end as stock_turnover_days
