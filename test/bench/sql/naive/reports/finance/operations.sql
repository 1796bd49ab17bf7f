-- The register is put together first, and then gone through again for its totals.
with register as (
    select
        o.id,
        o.operation_date as date,
        o.paid_on,
        o.kind as operation_kind,
        case o.kind when 'income' then 'Доход' when 'expense' then 'Расход' else 'Перевод' end as kind,
        case coalesce(c.section, case o.kind when 'income' then 'income' when 'expense' then 'operating' end)
            when 'income' then 'Доходы'
            when 'cost_of_goods' then 'Себестоимость'
            when 'operating' then 'Операционные расходы'
            when 'goods_purchase' then 'Закупка товаров'
            when 'investing' then 'Инвестиции'
            when 'financing' then 'Финансирование'
        end as section,
        case when o.kind <> 'transfer' then coalesce(c.name, 'Без статьи') end as category,
        a.name as account,
        ta.name as to_account,
        cp.name as counterparty,
        p.name as project,
        o.description,
        o.amount_kopecks,
        o.updated_at
    from operations o
    left join categories c on c.organization_id = o.organization_id and c.id = o.category_id
    left join accounts a on a.organization_id = o.organization_id and a.id = o.account_id
    left join accounts ta on ta.organization_id = o.organization_id and ta.id = o.to_account_id
    left join counterparties cp on cp.organization_id = o.organization_id and cp.id = o.counterparty_id
    left join projects p on p.organization_id = o.organization_id and p.id = o.project_id
    where o.organization_id = :organization_id
      and to_char(o.operation_date, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(o.operation_date, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
      and o.status = 'posted'
),
with_totals as (
    select
        true as is_total,
        count(*) as row_count,
        null::bigint as id,
        null::date as date,
        null::date as paid_on,
        null as kind,
        null as section,
        null as category,
        null as account,
        null as to_account,
        null as counterparty,
        null as project,
        null as description,
        coalesce(sum(amount_kopecks) filter (where operation_kind = 'income'), 0) as income,
        coalesce(sum(amount_kopecks) filter (where operation_kind = 'expense'), 0) as expense,
        coalesce(sum(amount_kopecks) filter (where operation_kind = 'transfer'), 0) as transfer,
        null::timestamptz as updated_at,
        count(*) filter (where date > :today) as advances
    from register
    union all
    select
        false,
        null,
        id,
        date,
        paid_on,
        kind,
        section,
        category,
        account,
        to_account,
        counterparty,
        project,
        description,
        case when operation_kind = 'income' then amount_kopecks else 0 end,
        case when operation_kind = 'expense' then amount_kopecks else 0 end,
        case when operation_kind = 'transfer' then amount_kopecks else 0 end,
        updated_at,
        null
    from register
)
select
    is_total,
    row_count,
    id::text as operation_id,
    date,
    paid_on,
    kind,
    section,
    category,
    account,
    to_account,
    counterparty,
    project,
    description,
    income,
    expense,
    transfer,
    updated_at,
    advances
from with_totals
order by is_total desc, date, id
