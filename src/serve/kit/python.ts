/** Python: changed months into SQLite or PostgreSQL, and tables as pandas data frames. */
import type { KitSource } from './kit-source.ts'
import { PYTHON_IMPORTS, PYTHON_LOADER } from './python-loader.ts'
import { codeOf, nameReports, quoteJson } from './quote.ts'

export function python(source: KitSource): string {
  const code = codeOf(source)
  return String.raw`
# ${nameReports(source)}: изменившиеся месяцы в таблицы SQLite или PostgreSQL.
# Запуск: export SVODKA_KEY=...; python3 svodka_load.py [КОД ...]; прерванную загрузку продолжит повторный запуск.
# База: SVODKA_DATABASE=svodka.db или postgresql://... (нужен пакет psycopg). Чтение в pandas:
#   from svodka_load import frame; frame("${code ?? 'operations'}")
${PYTHON_IMPORTS.replace('import json\n', 'import json\nimport os\nimport sqlite3\nimport sys\n')}

URL = ${quoteJson(source.baseUrl)}
CODES = [${code === undefined ? '' : quoteJson(code)}]  # пусто: все отчёты
FROM = ${quoteJson(source.from)}
TO = ${source.to === undefined ? 'None  # до конца текущего года' : quoteJson(source.to)}
DATABASE = os.environ.get("SVODKA_DATABASE", "svodka.db")
${PYTHON_LOADER}


def connect():
    if DATABASE.startswith("postgres"):
        import psycopg
        return psycopg.connect(DATABASE), "%s"
    return sqlite3.connect(DATABASE), "?"


def frame(code):
    """Таблица отчёта: целые — Int64, копейки не округляются."""
    import pandas
    db, _ = connect()
    table = pandas.read_sql_query(f'select * from "{code}" order by _month', db, coerce_float=False)
    types = {column["key"]: column["type"] for column in json.loads(get(api(), f"/reports/{code}/schema")[0])["columns"]}
    for key, kind in types.items():
        if kind in ("integer", "money"):
            table[key] = table[key].astype("Int64")
        elif kind in ("number", "percent"):
            table[key] = table[key].astype(float)
        elif kind in ("date", "datetime"):
            table[key] = pandas.to_datetime(table[key], utc=kind == "datetime")
    return table


def api():
    return URL, os.environ["SVODKA_KEY"]


if __name__ == "__main__":
    try:
        codes = sys.argv[1:] or CODES or [report["code"] for report in json.loads(get(api(), "/reports")[0])["reports"]]
        db, mark = connect()
        load(api(), db, codes, FROM, TO, mark)
    except GatewayError as error:
        sys.exit(str(error))`
}
