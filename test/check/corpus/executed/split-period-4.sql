/*---
title: Pieces
columns:
  what: { title: What, type: text }
  pieces: { title: Pieces, type: integer, total: sum(pieces), aggregation: { rows: sum, periods: sum } }
key: [what]
summary: Sold {pieces}.
---*/
select 'all' as what, coalesce(sum(days.pieces), 0) as pieces -- expect: split-period
from days
where days.day >= :period_start and days.day - 3 < :period_end
order by what
