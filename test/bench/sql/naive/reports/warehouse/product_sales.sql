-- Every line of the period with its sale, product and cost, in one list; for each figure a group of it; what was sold
-- more is a subquery over the products.
with costs as (
    select sale_line_id, -sum(cost_kopecks) as cost
    from stock_movements
    where organization_id = :organization_id
      and sale_line_id is not null
    group by sale_line_id
),
lines as (
    select
        p.id,
        p.name,
        p.sku,
        p.unit,
        to_char(s.shipped_at at time zone :time_zone, 'YYYY-MM') as month,
        case when s.kind = 'sale' then l.quantity else -l.quantity end as quantity,
        case when s.kind = 'sale' then l.amount_kopecks else -l.amount_kopecks end as amount,
        coalesce(c.cost, 0) as cost
    from sales s
    join sale_lines l on l.organization_id = s.organization_id and l.sale_id = s.id
    join products p on p.organization_id = l.organization_id and p.id = l.product_id
    left join costs c on c.sale_line_id = l.id
    where s.organization_id = :organization_id
      and to_char(s.shipped_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(s.shipped_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and s.status = 'posted'
),
whole_months as (
    select to_char(month, 'YYYY-MM') as month
    from generate_series(
        date_trunc('month', :period_start::timestamp - interval '1 day') + interval '1 month',
        date_trunc('month', :as_of::timestamp + interval '1 day') - interval '1 day',
        interval '1 month'
    ) as month
),
by_month as (
    select l.id, l.month, sum(l.quantity) as quantity
    from lines l
    where l.month in (select month from whole_months)
    group by l.id, l.month
),
steadiness as (
    select
        id,
        case
            when (select count(*) from whole_months) * sum(quantity * quantity) <= 1.01 * sum(quantity) * sum(quantity) then 'X'
            when (select count(*) from whole_months) * sum(quantity * quantity) <= 1.0625 * sum(quantity) * sum(quantity) then 'Y'
            else 'Z'
        end as xyz
    from by_month
    group by id
    having (select count(*) from whole_months) >= 3
       and sum(quantity) > 0
),
by_product as (
    select
        id,
        name,
        sku,
        unit,
        sum(quantity) as sold,
        sum(amount) as revenue,
        sum(cost) as cost,
        row_number() over (order by sum(amount) desc, name collate "C", id) as place
    from lines
    group by id, name, sku, unit
    having sum(quantity) <> 0
        or sum(amount) <> 0
        or sum(cost) <> 0
),
figures as (
    select
        p.*,
        st.xyz,
        (select sum(greatest(revenue, 0)) from by_product) as all_revenue,
        (select coalesce(sum(more.revenue), 0) from by_product more where more.place < p.place) as revenue_above
    from by_product p
    left join steadiness st on st.id = p.id
)
select
    name as product,
    sku,
    unit,
    sold,
    revenue,
    cost,
    revenue - cost as profit,
    round(100.00000000000000000000 * (revenue - cost) / nullif(greatest(revenue, 0), 0), 1) as margin,
    round(100.00000000000000000000 * revenue / nullif(all_revenue, 0), 1) as share,
    case
        when revenue <= 0 then 'C'
        when 100 * revenue_above < 80 * all_revenue then 'A'
        when 100 * revenue_above < 95 * all_revenue then 'B'
        else 'C'
    end as abc,
    xyz,
    greatest(revenue, 0) as positive_revenue
from figures
order by place
