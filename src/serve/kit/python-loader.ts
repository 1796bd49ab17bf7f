/** The part of the scripts for Python and Airflow that loads changed months over the DB-API. */

export const PYTHON_IMPORTS = `import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime`

/** Defines `load(api, db, codes, first, last, mark)`; needs `PYTHON_IMPORTS`. */
export const PYTHON_LOADER = String.raw`TYPES = {"date": "date", "datetime": "timestamptz", "integer": "bigint", "money": "bigint",
         "number": "numeric", "percent": "numeric"}  # остальные — text; money — копейки


class GatewayError(Exception):
    pass


def get(api, path, not_older_than=None, **query):
    """Тело ответа и момент, позже которого его данных нет. При 429 и 503 ждёт, сколько просит Retry-After."""
    url, key = api
    query = urllib.parse.urlencode({name.rstrip("_"): value for name, value in query.items() if value})
    target = f"{url}{path}?{query}" if query else url + path
    request = urllib.request.Request(target, headers={"X-Api-Key": key, "Accept-Language": "ru"})
    if not_older_than:
        request.add_header("Min-Data-As-Of", not_older_than)
    for attempt in range(1, 11):
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                date = parsedate_to_datetime(response.headers["Date"])  # в целых секундах
                return response.read(), f"{date:%Y-%m-%dT%H:%M:%S}.999Z"
        except urllib.error.HTTPError as error:
            wait, reason = error.headers["Retry-After"], problem(error)
        except (OSError, http.client.HTTPException) as error:  # соединение оборвано или не открылось
            wait, reason = "5", f"{path}: {error}"
        if wait is None or attempt == 10:
            raise GatewayError(reason)
        print(f"{reason}: повтор через {wait} с", flush=True)
        time.sleep(int(wait))


def problem(error):
    body = error.read().decode(errors="replace")
    try:
        said = json.loads(body)
        return f"{error.code} {said['code']}: {said['detail']} (запрос {said['requestId']})"
    except (ValueError, KeyError):
        return f"{error.code}: {body[:500]}"


def run(db, mark, text, *values):
    cursor = db.cursor()
    cursor.execute(text.replace("?", mark), values)
    return cursor


def create_table(db, mark, code, schema):
    """Таблица отчёта: строку определяют организация, месяц и key. Если схема изменилась — создаётся заново."""
    try:
        run(db, mark, f'select 1 from "{code}" limit 1')
    except Exception:  # таблицы ещё нет, или её удалили
        db.rollback()
        run(db, mark, "delete from svodka_loads where report = ?", code)
    shapes = {shape for (shape,) in run(db, mark, "select shape from svodka_loads where report = ?", code)}
    if shapes - {schema["shape"]}:
        run(db, mark, "delete from svodka_loads where report = ?", code)
        run(db, mark, f'drop table "{code}"')
    columns = "".join(f'"{column["key"]}" {TYPES.get(column["type"], "text")}, ' for column in schema["columns"])
    key = ", ".join(f'"{column}"' for column in ["_organization", "_month", *schema["key"]])
    run(db, mark, f'create table if not exists "{code}" (_organization text, _month date, {columns}primary key ({key}))')
    db.commit()


def replace_month(api, db, mark, organization, code, schema, month, seen):
    """Заменяет месяц целиком одной транзакцией и запоминает его отпечаток. Возвращает момент ответа."""
    body, newest = get(api, f"/reports/{code}.ndjson", seen, from_=month["from"], to=month["to"])
    rows = (json.loads(line, parse_float=str) for line in body.split(b"\n") if line)
    place = (organization, month["from"])
    run(db, mark, f'delete from "{code}" where _organization = ? and _month = ?', *place)
    keys = [column["key"] for column in schema["columns"]]
    insert = f'insert into "{code}" values ({", ".join([mark] * (len(keys) + 2))})'
    db.cursor().executemany(insert, ((*place, *(row[key] for key in keys)) for row in rows))
    run(db, mark, "insert into svodka_loads values (?, ?, ?, ?, ?) on conflict (organization, report, month) do update"
                  " set fingerprint = excluded.fingerprint, shape = excluded.shape",
        organization, code, month["from"], month["fingerprint"], schema["shape"])
    db.commit()
    print(f"{code} {month['from'][:7]}: загружен", flush=True)
    return newest


def load(api, db, codes, first, last=None, mark="?"):
    """Загружает изменившиеся месяцы, пока два списка месяцев не совпадут: тогда таблицы — как на один момент."""
    run(db, mark, "create table if not exists svodka_loads (organization text, report text, month date, fingerprint text,"
                  " shape text, primary key (organization, report, month))")
    db.commit()
    organization = json.loads(get(api, "/ping")[0])["organizationId"]
    schemas = {code: json.loads(get(api, f"/reports/{code}/schema")[0]) for code in codes}
    for code, schema in schemas.items():
        create_table(db, mark, code, schema)
    newest = None
    for attempt in range(1, 11):
        changed = []
        for code in codes:
            body, seen = get(api, f"/reports/{code}/periods", newest, from_=first, to=last)
            listed = json.loads(body)["periods"]
            known = run(db, mark, "select month, fingerprint from svodka_loads where organization = ? and report = ?",
                        organization, code)
            loaded = {str(month): fingerprint for month, fingerprint in known}
            db.commit()
            for month in listed:
                # отпечатка нет, если строки зависят от текущего времени: такой месяц загружается каждый раз
                if month["fingerprint"] != loaded.get(month["from"]) or (month["fingerprint"] is None and attempt == 1):
                    changed.append((code, month))
        if not changed:
            return
        for code, month in changed:
            # месяцы не старше списка, а следующий список не старше месяцев
            newest = replace_month(api, db, mark, organization, code, schemas[code], month, seen)
    print("Данные меняются быстрее, чем загружаются: остальное возьмёт следующий запуск")`
