-- The register is put together first, and then gone through again for its totals.
with register as (
    select
        d.id,
        d.title,
        cp.name as customer,
        e.full_name as manager,
        s.name as source,
        st.name as stage,
        case when d.won_at is not null then 'Выиграна' when d.lost_at is not null then 'Проиграна' else 'В работе' end as status,
        d.created_at,
        coalesce(d.won_at, d.lost_at) as closed_at,
        d.amount_kopecks as amount,
        case when d.won_at is not null then d.amount_kopecks else 0 end as won_amount,
        d.updated_at
    from deals d
    left join counterparties cp on cp.organization_id = d.organization_id and cp.id = d.counterparty_id
    left join employees e on e.organization_id = d.organization_id and e.id = d.manager_id
    left join deal_sources s on s.organization_id = d.organization_id and s.id = d.source_id
    left join deal_stages st on st.organization_id = d.organization_id and st.id = d.stage_id
    where d.organization_id = :organization_id
      and to_char(d.created_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(d.created_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
),
with_totals as (
    select
        true as is_total,
        count(*) as row_count,
        null::bigint as id,
        null as title,
        null as customer,
        null as manager,
        null as source,
        null as stage,
        null as status,
        null::timestamptz as created_at,
        null::timestamptz as closed_at,
        coalesce(sum(amount), 0) as amount,
        coalesce(sum(won_amount), 0) as won_amount,
        null::timestamptz as updated_at,
        count(*) filter (where status = 'Выиграна') as won,
        count(*) filter (where status = 'Проиграна') as lost,
        count(*) filter (where status = 'В работе') as open
    from register
    union all
    select
        false, null, id, title, customer, manager, source, stage, status, created_at, closed_at, amount, won_amount,
        updated_at, null, null, null
    from register
)
select
    is_total,
    row_count,
    id::text as deal_id,
    title,
    customer,
    manager,
    source,
    stage,
    status,
    created_at,
    closed_at,
    amount,
    won_amount,
    updated_at,
    won,
    lost,
    open
from with_totals
order by is_total desc, with_totals.created_at, id
