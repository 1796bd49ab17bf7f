do $$
declare item record;
begin
  for item in select conrelid::regclass as name, conname from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace loop
    execute format('alter table %s drop constraint %I', item.name, item.conname);
  end loop;
  for item in select attrelid::regclass as name, others.condition, string_agg(format('%I = %L', attname, value), ', ') as changes
      from pg_attribute
      join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
      join (values <others>) as others (name, condition) on others.name = relname
      join (values ('bigint', '9223372036854775807'), ('integer', '2147483647'), ('numeric', 'NaN'), ('text', '[%\'),
          ('date', 'infinity'), ('timestamp with time zone', '-infinity'), ('timestamp without time zone', '-infinity'))
          as poison (type, value)
          on poison.type = format_type(atttypid, null)
      where attnum > 0 and attgenerated = '' and attidentity = ''
          and not exists (select from pg_index where indrelid = attrelid and indisunique and attnum = any (indkey))
          and not exists (select from pg_constraint where conrelid = attrelid and contype = 'f' and attnum = any (conkey))
      group by attrelid, others.condition loop
    execute format('update %s set %s where %s', item.name, item.changes, item.condition);
  end loop;
end $$
