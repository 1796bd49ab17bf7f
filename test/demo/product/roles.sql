do $$
begin
    if not exists (select from pg_roles where rolname = 'svodka_reports') then
        create role svodka_reports login;
    end if;
end
$$;
grant select on organizations to svodka_reports;
