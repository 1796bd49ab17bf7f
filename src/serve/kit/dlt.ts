/** dlt: a REST API source with a resource for each report. */
import type { ColumnType } from '../../model/terms.ts'
import type { ReportSchema } from '../openapi/schema.ts'
import type { KitSource } from './kit-source.ts'
import { nameReports, quoteJson } from './quote.ts'

/** Types that dlt cannot infer from JSON. */
const TYPES: Readonly<Partial<Record<ColumnType, string>>> = {
  date: 'date',
  datetime: 'timestamp',
  integer: 'bigint',
  money: 'bigint',
  number: 'decimal',
  percent: 'decimal',
}

export function dlt(source: KitSource): string {
  const { reports, baseUrl, from, to } = source
  return String.raw`
# ${nameReports(source)}: период в хранилище через dlt; деньги — целые копейки.
# Ключ — в .dlt/secrets.toml:  [sources.svodka]  api_key = "..."
# Запуск: pip install "dlt[duckdb]"; python3 svodka_dlt.py; 429 и 503 dlt повторяет сам и ждёт Retry-After.
import dlt
from dlt.sources.rest_api import rest_api_source

PERIOD = ${quoteJson(to === undefined ? { from } : { from, to })}
# отчёт: (ключ строки, типы, которых нет в JSON)
REPORTS = {
${reports.map(reportOf).join('\n')}
}


def show_problem(response, *args, **kwargs):
    if response.status_code in (429, 503) or response.ok:
        return
    problem = response.json()
    raise RuntimeError(f"{response.status_code} {problem['code']}: {problem['detail']} (запрос {problem['requestId']})")


def resource(code, key, types):
    return {
        "name": code,
        "primary_key": key,
        "write_disposition": "replace",  # строки, которых больше нет в отчёте, исчезнут
        "columns": {name: {"data_type": kind} for name, kind in types.items()},
        "endpoint": {
            "path": f"reports/{code}.json",
            "params": PERIOD,
            "data_selector": "rows",
            "paginator": "single_page",
            "response_actions": [show_problem],
        },
    }


source = rest_api_source({
    "client": {
        "base_url": ${quoteJson(`${baseUrl}/`)},
        "headers": {"Accept-Language": "ru"},
        "auth": {"type": "api_key", "name": "X-Api-Key", "location": "header", "api_key": dlt.secrets["sources.svodka.api_key"]},
    },
    "resources": [resource(code, key, types) for code, (key, types) in REPORTS.items()],
}, name="svodka")

if __name__ == "__main__":
    print(dlt.pipeline("svodka", destination="duckdb", dataset_name="svodka").run(source))`
}

function reportOf({ code, key, columns }: ReportSchema): string {
  const types = columns.flatMap(({ key: name, type }) => {
    const known = TYPES[type]
    return known === undefined ? [] : [`${quoteJson(name)}: ${quoteJson(known)}`]
  })
  return `    ${quoteJson(code)}: (${quoteJson(key)}, {${types.join(', ')}}),`
}
