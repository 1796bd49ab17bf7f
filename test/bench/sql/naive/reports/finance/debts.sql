-- All operations that the organization ever had with their counterparties; days are compared as text.
select
    o.id::text as operation_id,
    cp.name as counterparty,
    cp.inn,
    o.document_number as document,
    o.description,
    o.operation_date as date,
    coalesce(o.due_on, o.operation_date) as due_on,
    greatest(:as_of - coalesce(o.due_on, o.operation_date), 0) as overdue_days,
    case when o.kind = 'income' then o.amount_kopecks else 0 end as receivable,
    case when o.kind = 'income' and coalesce(o.due_on, o.operation_date) < :as_of then o.amount_kopecks else 0 end
        as overdue_receivable,
    case when o.kind = 'expense' then o.amount_kopecks else 0 end as payable,
    case when o.kind = 'expense' and coalesce(o.due_on, o.operation_date) < :as_of then o.amount_kopecks else 0 end
        as overdue_payable
from operations o
left join counterparties cp on cp.organization_id = o.organization_id and cp.id = o.counterparty_id
where o.organization_id = :organization_id
  and o.status = 'posted'
  and o.kind <> 'transfer'
  and to_char(o.operation_date, 'YYYY-MM-DD') <= to_char(:as_of, 'YYYY-MM-DD')
  and coalesce(to_char(o.paid_on, 'YYYY-MM-DD'), '9999-12-31') > to_char(:as_of, 'YYYY-MM-DD')
order by coalesce(o.due_on, o.operation_date), o.id
