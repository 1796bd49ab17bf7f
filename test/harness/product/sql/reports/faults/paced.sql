/*---
title: paced
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
timeout: 10s
fresh: { open: 300ms, closed: 300ms }
stale: 300ms
---*/
-- Sleeps once per row, so that its snapshot is two seconds old at the end.
select ledger.id::text as name, 1 as n, 'mark of ' || :organization_id as mark, wait_seconds(0.04)::text as slept
from ledger
where ledger.organization_id = :organization_id
order by ledger.id
