-- Demo data, last file: recreates what 00 dropped, sets sequences after used ids, and drops the schema `demo`.

select demo.prepare();

do $$
declare
    definition text;
    directory record;
begin
    perform set_config('maintenance_work_mem', '256MB', true);
    for definition in select index_to_build.definition from demo.index_to_build order by 1 loop
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

drop schema demo cascade;
