# __TITLE__: ⟦changed months into tables of SQLite or PostgreSQL; money is integers of the smallest unit of its currency.⟧
# ⟦Run: export SVODKA_KEY=...; python3 svodka_load.py [CODE ...]; another run continues an interrupted load.⟧
# ⟦Database: SVODKA_DATABASE=svodka.db or postgresql://... (needs the package psycopg). Reading by pandas:⟧
#   from svodka_load import frame; frame("__FIRST__")
import http.client
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.request
from datetime import date, timedelta

URL = "__URL__"
CODE = "__CODE__"  # ⟦empty: all reports⟧
FROM = "__FROM__"
TO = "__TO__"  # ⟦empty: until the end of the current year⟧
VALUES, SUFFIX = "__VALUES__", "__SUFFIX__"  # ⟦of the report's parameters, and in names that are made⟧
KEY = os.environ.get("SVODKA_KEY") or sys.exit("⟦an API key is required:⟧ export SVODKA_KEY=...")
DATABASE = os.environ.get("SVODKA_DATABASE", "svodka.db")
MARK = "%s" if DATABASE.startswith("postgres") else "?"
TYPES = {"date": "date", "datetime": "timestamptz", "integer": "bigint", "money": "bigint",
         "number": "numeric", "percent": "numeric"}  # ⟦others are text⟧


class GatewayError(Exception):
    pass


def get(path, etag=None):
    """⟦Body and ETag of the response; no body if it is unchanged (304). At 429 and 503 waits as long as Retry-After says.⟧"""
    request = urllib.request.Request(URL + path, headers={"X-Api-Key": KEY, "Accept-Language": "__LANGUAGE__"})
    if etag:
        request.add_header("If-None-Match", etag)
    for attempt in range(1, 11):
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return response.read(), response.headers["ETag"]
        except urllib.error.HTTPError as error:
            if error.code == 304:
                return None, etag
            wait, reason = error.headers["Retry-After"], problem(error)
        except (OSError, http.client.HTTPException) as error:  # ⟦the connection broke or did not open⟧
            wait, reason = "5", f"{path}: {error}"
        if wait is None or attempt == 10:
            raise GatewayError(reason)
        print(f"{reason}: ⟦retrying in {wait} s⟧", flush=True)
        time.sleep(int(wait))


def get_json(path):
    return json.loads(get(path)[0])


def problem(error):
    body = error.read().decode(errors="replace")
    try:
        said = json.loads(body)
        return f"{error.code} {said['code']}: {said['detail']} ⟦(request⟧ {said['requestId']})"
    except (ValueError, KeyError):
        return f"{error.code}: {body[:500]}"


def connect():
    if MARK == "?":
        return sqlite3.connect(DATABASE)
    import psycopg
    return psycopg.connect(DATABASE)


def run(db, text, *values):
    cursor = db.cursor()
    cursor.execute(text.replace("?", MARK), values)
    return cursor


def create_table(db, code, schema):
    """⟦A row has the key of organization, month and key. If the schema has changed, the table is created again.⟧"""
    try:
        run(db, f'select 1 from "{code}" limit 1')
    except Exception:  # ⟦there is no table yet, or it was dropped⟧
        db.rollback()
        run(db, "delete from svodka_loads where report = ?", code)
    shapes = {shape for (shape,) in run(db, "select shape from svodka_loads where report = ?", code)}
    if shapes - {schema["shape"]}:
        run(db, "delete from svodka_loads where report = ?", code)
        run(db, f'drop table "{code}"')
    columns = "".join(f'"{column["key"]}" {TYPES.get(column["type"], "text")}, ' for column in schema["columns"])
    key = ", ".join(f'"{column}"' for column in ["_organization", "_month", *schema["key"]])
    run(db, f'create table if not exists "{code}" (_organization text, _month date, {columns}primary key ({key}))')
    db.commit()


def months():
    """⟦First and last day of each month.⟧"""
    start = date.fromisoformat(FROM).replace(day=1)
    end = date.fromisoformat(TO) if TO else date(date.today().year, 12, 31)
    while start <= end:
        following = (start + timedelta(days=31)).replace(day=1)
        yield str(start), str(min(end, following - timedelta(days=1)))
        start = following


def replace_month(db, organization, code, schema, first, last, etag):
    """⟦If the month has changed, replaces it as a whole in one transaction and stores its ETag.⟧"""
    body, etag = get(f"/reports/{code}.ndjson?from={first}&to={last}{VALUES}", etag)
    table = code + SUFFIX
    if body is None:
        return
    rows = (json.loads(line, parse_float=str) for line in body.split(b"\n") if line)
    run(db, f'delete from "{table}" where _organization = ? and _month = ?', organization, first)
    keys = [column["key"] for column in schema["columns"]]
    insert = f'insert into "{table}" values ({", ".join([MARK] * (len(keys) + 2))})'
    db.cursor().executemany(insert, ((organization, first, *(row[key] for key in keys)) for row in rows))
    run(db, "insert into svodka_loads values (?, ?, ?, ?, ?) on conflict (organization, report, month) do update"
            " set etag = excluded.etag, shape = excluded.shape", organization, table, first, etag, schema["shape"])
    db.commit()
    print(f"{table} {first[:7]}⟦: loaded⟧", flush=True)


def load(db, codes):
    run(db, "create table if not exists svodka_loads (organization text, report text, month date, etag text, shape text,"
            " primary key (organization, report, month))")
    db.commit()
    organization = get_json("/ping")["organizationId"]
    for code in codes or [report["code"] for report in get_json("/reports")["reports"]]:
        schema = get_json(f"/reports/{code}/schema")
        required = [one["name"] for one in schema.get("parameters", []) if one["required"]]
        if required and not codes:
            print(f"{code}: ⟦left out, as it needs a value of⟧ {', '.join(required)}", flush=True)
            continue
        schema["shape"] += VALUES
        create_table(db, code + SUFFIX, schema)
        known = run(db, "select month, etag from svodka_loads where organization = ? and report = ?", organization, code + SUFFIX)
        etags = {str(month): etag for month, etag in known}
        db.commit()
        for first, last in months():
            replace_month(db, organization, code, schema, first, last, etags.get(first))


def frame(code):
    """⟦Table of a report: integers are Int64, money is not rounded.⟧"""
    import pandas
    table = pandas.read_sql_query(f'select * from "{code}{SUFFIX}" order by _month', connect(), coerce_float=False)
    for column in get_json(f"/reports/{code}/schema")["columns"]:
        key, kind = column["key"], column["type"]
        if kind in ("integer", "money"):
            table[key] = table[key].astype("Int64")
        elif kind in ("number", "percent"):
            table[key] = table[key].astype(float)
        elif kind in ("date", "datetime"):
            table[key] = pandas.to_datetime(table[key], utc=kind == "datetime")
    return table


if __name__ == "__main__":
    try:
        load(connect(), sys.argv[1:] or ([CODE] if CODE else []))
    except GatewayError as error:
        sys.exit(str(error))
