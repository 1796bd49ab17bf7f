/*---
# sql/README.md explains every key. These metrics work: change them step by step, and run them after each change.
metrics:
  new_metrics_operations: { title: Операций, format: integer }
  new_metrics_amount:     { title: Сумма операций, format: money }
  new_metrics_incoming:   { title: Доля поступлений, format: percent }
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
# buffers per thousand rows read: twice the figure of `svodka explain --org large`
budget: { buffersPerThousandRows: 60 }
---*/
select
    count(*) as new_metrics_operations,
    coalesce(sum(operations.amount_kopecks), 0) as new_metrics_amount,
    -- why: without operations the share is undefined, which is null
    round(100.0 * count(*) filter (where operations.kind = 'income') / nullif(count(*), 0), 1) as new_metrics_incoming
from operations
where operations.operation_date >= :period_start
  and operations.operation_date < :period_end
  and operations.status = 'posted'
  and operations.kind <> 'transfer'
