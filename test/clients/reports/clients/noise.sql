/*---
title: Много байтов в немногих строках
columns:
  name: { title: Имя, type: text }
  value: { title: Значение, type: money }
  text: { title: Текст, type: text }
key: [name]
summary: За {period} {row_count} строк.
maxRows: 1000000
timeout: 20s
shared: true
---*/
-- Incompressible texts, larger than a Parquet row group.
with noise as (
    select decode(string_agg(md5((n * :organization_id)::text), ''), 'hex') as bytes
    from generate_series(1, 6250) as n
)
select
    parts.is_total,
    parts.row_count,
    parts.name,
    parts.value,
    parts.text
from (
    select true as is_total, 5500::bigint as row_count, '' as name, -1::bigint as value, null as text
    union all
    select
        false,
        null,
        lpad(n::text, 7, '0'),
        n::bigint,
        encode(substring(noise.bytes from n * 1009 % 99000 + 1 for 1000), 'base64')
    from noise
    cross join generate_series(1, 5500) as n
) as parts
order by parts.is_total desc, parts.name
