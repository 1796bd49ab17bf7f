-- Rebuilds the product's indexes and drops the work tables. Sequences keep their start values: no rows are added later.

select bench.prepare();

do $$
declare
    definition text;
begin
    for definition in select index_to_build.definition from bench.index_to_build order by 1 loop
        execute definition;
    end loop;
end
$$;

drop table bench.index_to_build, bench.deals, bench.sales, bench.sale_lines, bench.movements;
