-- Employees and counterparties. Customers are the first of an organization's counterparties, suppliers the last.

select demo.prepare();

create function demo.full_name(key bigint) returns text language sql immutable parallel safe as $$
    select case
        when demo.pick(21, key, 2) = 0 then
            demo.one_of(22, key, array['Иванов', 'Смирнов', 'Кузнецов', 'Попов', 'Соколов', 'Лебедев', 'Козлов',
                'Новиков', 'Морозов', 'Петров', 'Волков', 'Соловьёв', 'Васильев', 'Зайцев', 'Павлов', 'Семёнов',
                'Голубев', 'Виноградов', 'Богданов', 'Воробьёв', 'Фёдоров', 'Михайлов', 'Беляев', 'Тарасов'])
            || ' ' || demo.one_of(23, key, array['Александр', 'Дмитрий', 'Максим', 'Сергей', 'Андрей', 'Алексей',
                'Артём', 'Илья', 'Кирилл', 'Михаил', 'Никита', 'Матвей', 'Роман', 'Егор', 'Пётр', 'Фёдор'])
            || ' ' || demo.one_of(24, key, array['Александрович', 'Дмитриевич', 'Сергеевич', 'Андреевич',
                'Алексеевич', 'Игоревич', 'Николаевич', 'Петрович', 'Владимирович', 'Олегович', 'Ильич'])
        else
            demo.one_of(22, key, array['Иванова', 'Смирнова', 'Кузнецова', 'Попова', 'Соколова', 'Лебедева',
                'Козлова', 'Новикова', 'Морозова', 'Петрова', 'Волкова', 'Соловьёва', 'Васильева', 'Зайцева',
                'Павлова', 'Семёнова', 'Голубева', 'Виноградова', 'Богданова', 'Воробьёва', 'Фёдорова'])
            || ' ' || demo.one_of(23, key, array['Анна', 'Мария', 'Елена', 'Дарья', 'Алина', 'Ирина', 'Екатерина',
                'Арина', 'Полина', 'Ольга', 'Юлия', 'Татьяна', 'Наталья', 'Виктория', 'Ксения', 'Светлана'])
            || ' ' || demo.one_of(24, key, array['Александровна', 'Дмитриевна', 'Сергеевна', 'Андреевна',
                'Алексеевна', 'Игоревна', 'Николаевна', 'Петровна', 'Владимировна', 'Олеговна', 'Ильинична'])
    end
$$;

create function demo.company_name(key bigint) returns text language sql immutable parallel safe as $$
    select demo.one_of(31, key, array['ООО', 'ООО', 'ООО', 'ООО', 'АО', 'Филиал ООО', 'НКО', 'ТСЖ'])
        || ' «'
        || demo.one_of(32, key, array['Альфа', 'Вектор', 'Гранит', 'Дельта', 'Европа', 'Заря', 'Импульс', 'Капитал',
            'Лидер', 'Маяк', 'Нева', 'Орион', 'Прогресс', 'Радуга', 'Сатурн', 'Титан', 'Универсал', 'Факел',
            'Центр', 'Эталон', 'Юг', 'Янтарь', 'Русь', 'Волна', 'Аврора', 'Каскад', 'Меркурий', 'Партнёр'])
        || demo.one_of(33, key, array['', '', '-М', '-Сервис', '-Плюс', ' и К', 'Строй', 'Торг', 'Трейд', '-2000',
            ' Групп', 'Пром', '-Юг', '-Сибирь', ' "Опт"', ', розница'])
        || '»'
$$;

insert into employees (organization_id, id, full_name, dismissed_on)
select
    organization.id,
    demo.id(organization.o, k),
    demo.full_name(organization.o * 1000000 + k),
    -- every seventh has left, but neither the first nor the second
    case
        when k > 2 and k % 7 = 3 then
            organization.start_on + 60
            + (demo.u(25, organization.o * 1000000 + k) * (demo.today() - organization.start_on - 90))::integer
    end
from demo.organization
cross join lateral generate_series(1, organization.employees) as k
where demo.today() - organization.start_on > 120 or k % 7 <> 3
order by 2;

insert into counterparties (organization_id, id, name, inn)
select
    organization.id,
    demo.id(organization.o, k),
    case people.form
        when 'person' then demo.full_name(people.key)
        when 'owner' then 'ИП ' || demo.full_name(people.key)
        else demo.company_name(people.key)
    end,
    -- private buyers leave no number
    case people.form
        when 'person' then null
        when 'owner' then demo.inn(people.key, true)
        else demo.inn(people.key, false)
    end
from demo.organization
cross join lateral generate_series(1, organization.customers + organization.suppliers) as k
cross join lateral (
    select
        organization.o * 1000000 + 500000 + k as key,
        case
            when k <= organization.customers and demo.u(34, organization.o * 1000000 + k) < 0.15 then 'person'
            when demo.u(34, organization.o * 1000000 + k) < 0.40 then 'owner'
            else 'company'
        end as form
) as people
order by 2;
