# __TITLE__: ⟦a period into a warehouse by dlt; money is integers of the smallest unit of its currency.⟧
# ⟦The key is in .dlt/secrets.toml:⟧  [sources.svodka]  api_key = "..."
# ⟦Run: pip install "dlt[duckdb]"; python3 svodka_dlt.py; dlt repeats 429 and 503 itself and obeys Retry-After.⟧
import dlt
from dlt.sources.rest_api import rest_api_source

FROM = "__FROM__"
TO = "__TO__"  # ⟦empty: until the end of the current year⟧
VALUES, SUFFIX = "__SELECTED__", "__SUFFIX__"  # ⟦of the report's parameters, and in names that are made⟧
TYPES = {"date": "date", "datetime": "timestamp", "integer": "bigint", "money": "bigint",
         "number": "decimal", "percent": "decimal"}  # ⟦dlt infers others from JSON⟧
# ⟦Left out, as they need values of parameters:⟧ __LEFT__
# ⟦report: (key of a row, columns)⟧
REPORTS = {
    # each report
    "__CODE__": ("__KEY__", "__COLUMNS__"),
    # end
}


def show_problem(response, *args, **kwargs):
    if response.status_code in (429, 503) or response.ok:
        return
    problem = response.json()
    raise RuntimeError(f"{response.status_code} {problem['code']}: {problem['detail']} ⟦(request⟧ {problem['requestId']})")


def resource(code, key, columns):
    return {
        "name": code + SUFFIX,
        "primary_key": key,
        "write_disposition": "replace",  # ⟦rows that left the report disappear⟧
        "columns": {name: {"data_type": TYPES[kind]} for name, kind in columns.items() if kind in TYPES},
        "endpoint": {
            "path": f"reports/{code}.json",
            "params": {**VALUES, "from": FROM, **({"to": TO} if TO else {})},
            "data_selector": "rows",
            "paginator": "single_page",
            "response_actions": [show_problem],
        },
    }


source = rest_api_source({
    "client": {
        "base_url": "__URL__" + "/",
        "headers": {"Accept-Language": "__LANGUAGE__"},
        "auth": {"type": "api_key", "name": "X-Api-Key", "location": "header", "api_key": dlt.secrets["sources.svodka.api_key"]},
    },
    "resources": [resource(code, key, columns) for code, (key, columns) in REPORTS.items()],
}, name="svodka")

if __name__ == "__main__":
    print(dlt.pipeline("svodka", destination="duckdb", dataset_name="svodka").run(source))
