/*---
# sql/README.md of svodka explains every key. Change this step by step, and run it after each change.
metrics:
  {code}_records: { title: {records} ({code}), format: integer }{shared}
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
---*/
{note}select count(*) as {code}_records
from {table}
where {column} >= :period_start{at}
  and {column} < :period_end{at}
