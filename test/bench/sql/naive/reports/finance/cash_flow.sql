-- Accounts with all their operations, on either side, and a sum with conditions for each column.
with balances as (
    select
        a.id,
        a.name,
        a.archived_at,
        a.opening_balance_kopecks + coalesce(sum(
            case
                when to_char(o.paid_on, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD') then 0
                when o.kind = 'income' or o.to_account_id = a.id then o.amount_kopecks
                else -o.amount_kopecks
            end
        ), 0) as opening,
        coalesce(sum(
            case
                when to_char(o.paid_on, 'YYYY-MM-DD') < to_char(:period_start, 'YYYY-MM-DD') then 0
                when o.kind = 'income' and o.amount_kopecks > 0 then o.amount_kopecks
                when o.kind = 'expense' and o.amount_kopecks < 0 then -o.amount_kopecks
                else 0
            end
        ), 0) as received,
        coalesce(sum(
            case
                when to_char(o.paid_on, 'YYYY-MM-DD') < to_char(:period_start, 'YYYY-MM-DD') then 0
                when o.kind = 'expense' and o.amount_kopecks > 0 then o.amount_kopecks
                when o.kind = 'income' and o.amount_kopecks < 0 then -o.amount_kopecks
                else 0
            end
        ), 0) as paid,
        coalesce(sum(
            case
                when to_char(o.paid_on, 'YYYY-MM-DD') < to_char(:period_start, 'YYYY-MM-DD') then 0
                when o.kind = 'transfer' and o.to_account_id = a.id then o.amount_kopecks
                else 0
            end
        ), 0) as transferred_in,
        coalesce(sum(
            case
                when to_char(o.paid_on, 'YYYY-MM-DD') < to_char(:period_start, 'YYYY-MM-DD') then 0
                when o.kind = 'transfer' and o.account_id = a.id then o.amount_kopecks
                else 0
            end
        ), 0) as transferred_out
    from accounts a
    left join operations o
        on o.organization_id = a.organization_id
        and a.id in (o.account_id, o.to_account_id)
        and o.status = 'posted'
        and to_char(o.paid_on, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
    where a.organization_id = :organization_id
    group by a.id, a.name, a.archived_at, a.opening_balance_kopecks
)
select
    name as account,
    opening,
    received,
    paid,
    transferred_in,
    transferred_out,
    opening + received - paid + transferred_in - transferred_out as closing,
    case
        when archived_at is not null and opening + received - paid + transferred_in - transferred_out = 0 then 0
        else 1
    end as is_in_use
from balances
where archived_at is null
   or opening <> 0
   or received <> 0
   or paid <> 0
   or transferred_in <> 0
   or transferred_out <> 0
order by opening + received - paid + transferred_in - transferred_out desc, name collate "C", id
