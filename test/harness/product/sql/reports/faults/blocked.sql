/*---
title: blocked
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
timeout: 20s
stale: 1s
---*/
select ledger.id::text as name, 1 as n, 'mark of ' || :organization_id as mark
from ledger
where ledger.organization_id = :organization_id
  -- why here: blocked during its scan, the execution pins a page
  and read_locked() + 0 * ledger.id = 1
order by ledger.id
