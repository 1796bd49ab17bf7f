/** Airflow: a DAG that loads changed months into PostgreSQL, one task for each report. */
import type { KitSource } from './kit-source.ts'
import { PYTHON_IMPORTS, PYTHON_LOADER } from './python-loader.ts'
import { codeOf, nameReports, quoteJson } from './quote.ts'

export function airflow(source: KitSource): string {
  const code = codeOf(source)
  return String.raw`
# ${nameReports(source)}: изменившиеся месяцы в PostgreSQL каждую ночь. Файл — в папку dags (Airflow 2.9 и новее).
# Соединения: svodka (тип HTTP, пароль — ключ API), warehouse (тип Postgres; нужен apache-airflow-providers-postgres).
${PYTHON_IMPORTS}
from datetime import datetime, timedelta

from airflow.decorators import dag, task
from airflow.hooks.base import BaseHook
from airflow.providers.postgres.hooks.postgres import PostgresHook

URL = ${quoteJson(source.baseUrl)}
CODES = [${code === undefined ? '' : quoteJson(code)}]  # пусто: все отчёты
FROM = ${quoteJson(source.from)}
TO = ${source.to === undefined ? 'None  # до конца текущего года' : quoteJson(source.to)}
${PYTHON_LOADER}


def api():
    return URL, BaseHook.get_connection("svodka").password


@dag(schedule="0 4 * * *", start_date=datetime(2026, 1, 1), catchup=False, max_active_runs=1,
     default_args={"retries": 3, "retry_delay": timedelta(minutes=5)})
def svodka():
    @task
    def codes():
        return CODES or [report["code"] for report in json.loads(get(api(), "/reports")[0])["reports"]]

    @task(max_active_tis_per_dag=1)
    def load_report(code):
        load(api(), PostgresHook("warehouse").get_conn(), [code], FROM, TO, "%s")

    load_report.expand(code=codes())


svodka()`
}
