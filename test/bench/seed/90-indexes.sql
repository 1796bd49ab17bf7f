-- The product's secondary indexes again, sequences after the rows, and no work tables.

select bench.prepare();

do $$
declare
    definition text;
    directory record;
begin
    for definition in select index_to_build.definition from bench.index_to_build order by 1 loop
        execute definition;
    end loop;
    for directory in
        select columns.table_name
        from information_schema.columns
        where columns.table_schema = 'public'
          and columns.is_identity = 'YES'
    loop
        execute format(
            'select setval(pg_get_serial_sequence(%L, %L), coalesce(max(id), 0) + 1, false) from %I',
            directory.table_name, 'id', directory.table_name
        );
    end loop;
end
$$;

drop table bench.index_to_build, bench.deals, bench.sales, bench.sale_lines, bench.movements;
