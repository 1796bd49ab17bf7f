insert into organizations (id, name) values (1, 'Ромашка');
insert into seeded_with (today, scale)
values (current_setting('svodka.demo_today')::date, current_setting('svodka.demo_scale')::numeric);
