-- Joins first and groups by names; days are compared as text; operations are counted as distinct, to be safe.
select
    coalesce(p.name, c.name, 'Без статьи') as parent,
    case
        when (select count(*) from categories ch where ch.organization_id = :organization_id and ch.parent_id = c.id) > 0
            then 'Прочее: ' || c.name
        else coalesce(c.name, 'Без статьи')
    end as category,
    count(distinct o.id) as operations,
    sum(o.amount_kopecks) as amount,
    round(
        100.00000000000000000000 * sum(o.amount_kopecks) / nullif(sum(greatest(sum(o.amount_kopecks), 0)) over (), 0), 1
    ) as share,
    row_number() over (
        order by
            sum(o.amount_kopecks) desc,
            case
                when (select count(*) from categories ch where ch.organization_id = :organization_id and ch.parent_id = c.id) > 0
                    then 'Прочее: ' || c.name
                else coalesce(c.name, 'Без статьи')
            end collate "C",
            c.id
    ) as position
from operations o
left join categories c on c.organization_id = o.organization_id and c.id = o.category_id
left join categories p on p.organization_id = c.organization_id and p.id = c.parent_id
where o.organization_id = :organization_id
  and to_char(o.operation_date, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
  and to_char(o.operation_date, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
  and o.status = 'posted'
  and o.kind = 'income'
  and coalesce(c.section, 'income') = 'income'
group by p.name, c.name, c.id
order by position
