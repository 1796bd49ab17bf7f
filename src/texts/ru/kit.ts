/** Texts of the kit in Russian, by the English ones of its templates: `English¦Russian`. */
const TABLE = `
(request¦(запрос
(request %4)¦(запрос %4)
1C:Enterprise¦1С:Предприятие
: loaded¦: загружен
: retrying in¦: повтор через
a manifest for Airbyte; money is integers of the smallest unit of its currency. Builder → Import a YAML; the connector asks for the key.¦манифест Airbyte; деньги — целые числа в наименьших единицах своей валюты. Builder → Import a YAML; ключ спрашивает сам коннектор.
a period as a file. Needs curl 7.76 or newer.¦период в файл. Нужен curl 7.76 или новее.
a period as a table of DuckDB; money is integers of the smallest unit of its currency (BIGINT). Needs duckdb and curl 7.76.¦период в таблицу DuckDB; деньги — целые числа в наименьших единицах своей валюты (BIGINT). Нужны duckdb и curl 7.76.
a period as a typed table; money is in whole units of its currency, percents are fractions.¦период таблицей с типами; деньги — в целых единицах своей валюты, проценты — долями.
a period as a value table; money is in whole units of its currency. A common server module, platform 8.3.13 or newer.¦период таблицей значений; деньги — в целых единицах своей валюты. Серверный общий модуль, платформа 8.3.13 и новее.
a period into a warehouse by dlt; money is integers of the smallest unit of its currency.¦период в хранилище через dlt; деньги — целые числа в наименьших единицах своей валюты.
a period on a sheet of Google Sheets; money is in whole units of its currency, percents are fractions.¦период на лист Google Таблиц; деньги — в целых единицах своей валюты, проценты — долями.
A row has the key of organization, month and key. If the schema has changed, the table is created again.¦Строку определяют организация, месяц и key. Если схема изменилась, таблица создаётся заново.
an API key is required:¦нужен ключ API:
an apostrophe: a text, neither a formula nor a number¦апостроф: текст, а не формула и не число
Another run continues an interrupted load.¦Прерванную загрузку продолжит повторный запуск.
API key¦Ключ API
as of¦на
At 429 and 503 curl waits as long as Retry-After says; the key is not in the list of processes.¦При 429 и 503 curl ждёт, сколько просит Retry-After; ключа нет в списке процессов.
Body and ETag of the response; no body if it is unchanged (304). At 429 and 503 waits as long as Retry-After says.¦Тело и ETag ответа; тела нет, если оно прежнее (304). При 429 и 503 ждёт, сколько просит Retry-After.
changed months into a table of PostgreSQL; money is integers of the smallest unit of its currency. Needs psql and curl 7.76.¦изменившиеся месяцы в таблицу PostgreSQL; деньги — целые числа в наименьших единицах своей валюты. Нужны psql и curl 7.76.
changed months into tables of SQLite or PostgreSQL; money is integers of the smallest unit of its currency.¦изменившиеся месяцы в таблицы SQLite или PostgreSQL; деньги — целые числа в наименьших единицах своей валюты.
changed months into tables of SQLite; money is integers of the smallest unit of its currency.¦изменившиеся месяцы в таблицы SQLite; деньги — целые числа в наименьших единицах своей валюты.
curl does not write an empty response¦пустой ответ curl не пишет
curl: a file by the command line¦curl: файл из командной строки
Database: SVODKA_DATABASE=svodka.db or postgresql://... (needs the package psycopg). Reading by pandas:¦База: SVODKA_DATABASE=svodka.db или postgresql://... (нужен пакет psycopg). Чтение в pandas:
decimals of the currency¦знаки после запятой у валюты
decimals of other currencies; the rest has two¦знаки после запятой у других валют; у остальных два
dlt infers others from JSON¦остальные dlt узнаёт из JSON
empty: all reports¦пусто: все отчёты
empty: until the end of the current year¦пусто: до конца текущего года
Excel and Power BI: Power Query¦Excel и Power BI: Power Query
Excel: Data → Get Data → Blank Query → Advanced Editor. Power BI: Transform data → the same.¦Excel: Данные → Получить данные → Пустой запрос → Расширенный редактор. Power BI: Преобразовать данные → то же.
First and last day of each month.¦Первый и последний день каждого месяца.
First day¦Первый день
Google Sheets: Apps Script¦Google Таблицы: Apps Script
httpfs does not obey Retry-After, so curl gets the file: it waits at 429 and 503; the key is not in the list of processes.¦httpfs не ждёт Retry-After, поэтому файл скачивает curl: при 429 и 503 он ждёт; ключа нет в списке процессов.
If the month has changed, replaces it as a whole in one transaction and stores its ETag.¦Если месяц изменился, заменяет его целиком одной транзакцией и запоминает его ETag.
Left out, as they need values of parameters:¦Без отчётов, которым нужны значения параметров:
left out, as it needs a value of¦пропущен: ему нужно значение
Last day; empty: until the end of the current year¦Последний день; пусто: до конца текущего года
Lines from|to|ETag; ETag is empty if the month is not loaded yet.¦Строки «с|по|ETag»: ETag пуст, если месяц ещё не загружен.
of the report's parameters, and in names that are made¦параметров отчёта и в именах, которые создаются
of the report's parameters¦параметров отчёта
others are text¦остальные — text
outside of a background job nothing can wait¦вне фонового задания ждать нечем
Packages:¦Пакеты:
Power Query repeats 429 and 503 itself and obeys Retry-After; this function shows the rest¦429 и 503 Power Query повторяет сам и ждёт Retry-After; остальное показывает эта функция
psql: each night into PostgreSQL¦psql: по ночам в PostgreSQL
Python, pandas: this table¦Python, pandas: эта таблица
Python: each night into SQLite or PostgreSQL¦Python: по ночам в SQLite или PostgreSQL
R: each night into SQLite¦R: по ночам в SQLite
R: this table¦R: эта таблица
Refresh¦Обновить
Report "{title}"¦Отчёт «{title}»
report: (key of a row, columns)¦отчёт: (ключ строки, колонки)
Reports¦Отчёты
Request¦Запрос
retrying in {wait} s¦повтор через {wait} с
Rows are in the order of the report, not of the screen (there¦Порядок строк — отчёта, а не экрана (там
rows that left the report disappear¦строки, которых больше нет в отчёте, исчезнут
Run¦Запуск
Run: export SVODKA_KEY=... PGHOST=... PGDATABASE=...; sh svodka_load.sh CODE [FROM TO]¦Запуск: export SVODKA_KEY=... PGHOST=... PGDATABASE=...; sh svodka_load.sh КОД [С ПО]
Run: export SVODKA_KEY=...; python3 svodka_load.py [CODE ...]; another run continues an interrupted load.¦Запуск: export SVODKA_KEY=...; python3 svodka_load.py [КОД ...]; прерванную загрузку продолжит повторный запуск.
Run: export SVODKA_KEY=...; Rscript svodka_load.R [CODE ...]¦Запуск: export SVODKA_KEY=...; Rscript svodka_load.R [КОД ...]
Run: export SVODKA_KEY=...; sh svodka.sh CODE [FROM [TO [FORMAT [COMPARE]]]]; formats: csv, xlsx, ndjson, json, parquet; compare: previous, year.¦Запуск: export SVODKA_KEY=...; sh svodka.sh КОД [С [ПО [ФОРМАТ [СРАВНЕНИЕ]]]]; форматы: csv, xlsx, ndjson, json, parquet; сравнение: previous, year.
Run: export SVODKA_KEY=...; sh svodka_duckdb.sh CODE [FROM [TO]]; then: duckdb svodka.duckdb¦Запуск: export SVODKA_KEY=...; sh svodka_duckdb.sh КОД [С [ПО]]; затем: duckdb svodka.duckdb
Run: pip install "dlt[duckdb]"; python3 svodka_dlt.py; dlt repeats 429 and 503 itself and obeys Retry-After.¦Запуск: pip install "dlt[duckdb]"; python3 svodka_dlt.py; 429 и 503 dlt повторяет сам и ждёт Retry-After.
Run: the menu Svodka of the sheet; each night by a trigger of refreshAll.¦Запуск: меню «Сводка» в таблице; каждую ночь — триггер на refreshAll.
Run: Таблица¦Запуск: Таблица
s¦с
Sheet → Extensions → Apps Script: paste the text. Key: Project settings → Script properties → SVODKA_KEY.¦Таблица → Расширения → Apps Script: вставьте текст. Ключ: Настройки проекта → Свойства скрипта → SVODKA_KEY.
Svodka¦Сводка
Sync mode: Full refresh | Overwrite; otherwise rows that left the report remain.¦Режим синхронизации: Full refresh | Overwrite — строки, которых больше нет в отчёте, иначе останутся.
Table of a report: integers are Int64, money is not rounded.¦Таблица отчёта: целые — Int64, деньги не округляются.
The API key is in the safe storage of BSP:¦Ключ API — в безопасном хранилище БСП:
the code of a report is required¦нужен код отчёта
the connection broke or did not open¦соединение оборвано или не открылось
The file appears as a whole: the next run repeats an interrupted download.¦Файл появляется целиком: прерванную загрузку повторит следующий запуск.
The key is in .dlt/secrets.toml:¦Ключ — в .dlt/secrets.toml:
the month has not changed¦месяц не изменился
the response with detail and requestId¦ответ с detail и requestId
The table is replaced as a whole in one transaction.¦Таблица заменяется целиком одной транзакцией.
the table of the screen, without its totals; money is in whole units of its currency.¦таблица с экрана; деньги — в целых единицах своей валюты, строки «Итого» нет.
the table was dropped¦таблицу удалили
the whole run takes at most 6 minutes¦весь запуск — не дольше 6 минут
Then: dbGetQuery¦Дальше: dbGetQuery
there is no table yet, or it was dropped¦таблицы ещё нет, или её удалили
To resume one: without --compressed, with -C - and --header "If-Match: ETag of the first part".¦Продолжить прерванную: без --compressed, с -C - и --header "If-Match: ETag первой части".
When asked for access choose Basic and enter the API key as password (no name): it is stored as a credential.¦При запросе доступа выберите «Базовый» и введите ключ API как пароль (имя пустое): он хранится в учётных данных.
without the filter of the screen¦без фильтра, который на экране
Words of the language cannot be names.¦Слова языка не могут быть именами.
yyyy-mm-dd¦dd.mm.yyyy
`

export const RU_KIT: Readonly<Record<string, string>> = Object.fromEntries(
  TABLE.trim()
    .split('\n')
    .map(line => line.split('¦')),
)
