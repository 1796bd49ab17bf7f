-- Joins first and groups by names, over all operations that the organization ever had; days are compared as text.
with debts as (
    select
        cp.id,
        coalesce(cp.name, 'Без контрагента') as counterparty,
        sum(o.amount_kopecks) as total,
        coalesce(sum(case when :as_of - o.operation_date <= 30 then o.amount_kopecks end), 0) as days_0_30,
        coalesce(sum(case when :as_of - o.operation_date > 30 and :as_of - o.operation_date <= 60 then o.amount_kopecks end), 0)
            as days_31_60,
        coalesce(sum(case when :as_of - o.operation_date > 60 and :as_of - o.operation_date <= 90 then o.amount_kopecks end), 0)
            as days_61_90,
        coalesce(sum(case when :as_of - o.operation_date > 90 then o.amount_kopecks end), 0) as days_over_90,
        coalesce(sum(case when coalesce(o.due_on, o.operation_date) < :as_of then o.amount_kopecks end), 0) as overdue,
        min(o.operation_date) as oldest
    from operations o
    left join counterparties cp on cp.organization_id = o.organization_id and cp.id = o.counterparty_id
    where o.organization_id = :organization_id
      and o.status = 'posted'
      and o.kind = 'expense'
      and to_char(o.operation_date, 'YYYY-MM-DD') <= to_char(:as_of, 'YYYY-MM-DD')
      and coalesce(to_char(o.paid_on, 'YYYY-MM-DD'), '9999-12-31') > to_char(:as_of, 'YYYY-MM-DD')
    group by cp.id, cp.name
)
select
    counterparty,
    total,
    days_0_30,
    days_31_60,
    days_61_90,
    days_over_90,
    overdue,
    oldest,
    id::text as counterparty_id
from debts
where days_0_30 <> 0
   or days_31_60 <> 0
   or days_61_90 <> 0
   or days_over_90 <> 0
   or overdue <> 0
order by total desc, counterparty collate "C", id
