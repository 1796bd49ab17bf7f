-- Another way to the figures of {code}, as simple as it can be: `svodka diff {code} --oracle` compares them.
select distinct
    to_char({day}, 'YYYY-MM') as month,
    count(*) over (partition by to_char({day}, 'YYYY-MM')) as records
from {table}
where ({day})::date between :period_start and :period_end - 1
order by month
