-- right
select a.real, float, "double", round(a.real::numeric, 2), a::"real", a::shop.float8 from a
select extract(epoch from b - a)::float8 / 3600, date_part('day', c)::real from a
-- 1: a cast to float8 loses kopecks, expected numeric or bigint
select a::float8
-- 1: a cast to double precision loses kopecks
-- 1: a cast to pg_catalog.float4 loses kopecks
select a::double precision, b::pg_catalog.float4
-- 2: a cast to real loses kopecks
-- 2: a cast to float loses kopecks
select cast(a as
  real), a::FLOAT(10)
-- 1: a cast to float8 loses kopecks
-- 1: a cast to pg_catalog.float4 loses kopecks
select float8(a), b::text, pg_catalog.float4(c), shop.float8(d), float8(extract(epoch from e))
-- 1: a cast to float loses kopecks
-- 1: a cast to float8 loses kopecks
select float '1.5', '{1}'::float8[]
