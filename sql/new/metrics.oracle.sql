-- Another way to the figures of metrics/new_metrics, as simple as it can be: `svodka diff metrics/new_metrics --oracle`
-- compares them.
select
    coalesce(sum(1), 0) as new_metrics_operations,
    coalesce(sum(posted.amount_kopecks), 0) as new_metrics_amount,
    round(avg(case when posted.kind = 'income' then 100.0 else 0 end), 1) as new_metrics_incoming
from (
    select operations.kind, operations.amount_kopecks
    from operations
    where operations.operation_date between :period_start and :period_end - 1
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
) as posted
