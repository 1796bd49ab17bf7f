-- Customers with all their sales and lines, grouped by names; the cumulative sum is a subquery per customer.
with customers as (
    select
        cp.id,
        coalesce(cp.name, 'Без контрагента') as customer,
        count(distinct s.id) filter (where s.kind = 'sale') as sales,
        sum(case when s.kind = 'sale' then l.amount_kopecks else -l.amount_kopecks end) as revenue
    from sales s
    join sale_lines l on l.organization_id = s.organization_id and l.sale_id = s.id
    left join counterparties cp on cp.organization_id = s.organization_id and cp.id = s.counterparty_id
    where s.organization_id = :organization_id
      and to_char(s.shipped_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(s.shipped_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and s.status = 'posted'
    group by cp.id, cp.name
),
placed as (
    select
        customers.*,
        row_number() over (order by revenue desc, customer collate "C", id) as place
    from customers
    where sales <> 0
       or revenue <> 0
),
figures as (
    select
        p.*,
        (select sum(before.revenue) from placed before where before.place <= p.place) as cumulative,
        (select sum(greatest(revenue, 0)) from placed) as positive_revenue
    from placed p
)
select
    customer,
    sales,
    revenue,
    round(100.00000000000000000000 * revenue / nullif(positive_revenue, 0), 1) as share,
    round(100.00000000000000000000 * cumulative / nullif(positive_revenue, 0), 1) as cumulative_share,
    case
        when revenue <= 0 then 'C'
        when 100 * (cumulative - revenue) < 80 * positive_revenue then 'A'
        when 100 * (cumulative - revenue) < 95 * positive_revenue then 'B'
        else 'C'
    end as class,
    id as customer_id
from figures
order by place
