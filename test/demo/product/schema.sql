create table organizations (id int primary key, name text not null);
create table seeded_with (today date not null, scale numeric not null);
