/*---
title: ledger
columns:
  name: { title: Имя, type: text }
  n: { title: Строк, type: integer, total: sum(n) }
  mark: { title: Чьё, type: text, total: none }
key: [name]
summary: За {period} {n}.
parameters:
  part: { title: Часть, type: integer }
fresh: { open: 300ms, closed: 300ms }
stale: 10m
timeout: 5s
---*/
select ledger.id::text as name, 1 as n, 'mark of ' || coalesce(:organization_id * 100 + :part, :organization_id) as mark
from ledger
where ledger.organization_id = :organization_id
order by ledger.id
