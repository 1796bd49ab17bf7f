insert into organizations (id, name) select 2, name || ' и сыновья' from organizations;
