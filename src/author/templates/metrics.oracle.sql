-- Another way to the figures of metrics/{code}, as simple as it can be: `svodka diff metrics/{code} --oracle` compares them.
select coalesce(sum(1), 0) as {code}_records
from {table}
where ({day})::date between :period_start and :period_end - 1
