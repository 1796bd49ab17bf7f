/*---
# sql/README.md of svodka explains every key. Change this step by step, and run it after each change.
title: {title} ({code})
columns:
  month:   { title: {month}, type: text }
  records: { title: {records}, type: integer, total: sum(records) }
key: [month]
chart: { kind: bars, measures: [records], label: month, order: rows }
summary: >-
  {summary}
maxRows: 10000{shared}
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
---*/
{note}select
    to_char({day}, 'YYYY-MM') as month,
    count(*) as records
from {table}
where {column} >= :period_start{at}
  and {column} < :period_end{at}
group by to_char({day}, 'YYYY-MM')
order by month
