/*---
# sql/README.md explains every key. These are metrics that work: change them step by step, and run them after each.
metrics:
  new_metrics_operations: { title: Операций, format: integer }
  new_metrics_amount:     { title: Сумма операций, format: money }
  new_metrics_incoming:   { title: Доля поступлений, format: percent }
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
# pages of 8 KiB for a thousand rows read: twice what `svodka explain --org large` says
budget: { buffersPerThousandRows: 60 }
---*/
select
    count(*) as new_metrics_operations,
    coalesce(sum(operations.amount_kopecks), 0) as new_metrics_amount,
    -- why: without operations there is no share, which null says
    round(100.0 * count(*) filter (where operations.kind = 'income') / nullif(count(*), 0), 1) as new_metrics_incoming
from operations
where operations.organization_id = :organization_id
  and operations.operation_date >= :period_start
  and operations.operation_date < :period_end
  and operations.status = 'posted'
  and operations.kind <> 'transfer'
