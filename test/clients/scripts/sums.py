"""Reads one report in three formats with pandas, and prints statistics as JSON."""

import json
import sys
import urllib.request

import pandas

reports, period, key = sys.argv[1:]
headers = {"X-Api-Key": key}


def from_json():
    request = urllib.request.Request(f"{reports}/ledger?{period}", headers=headers)
    with urllib.request.urlopen(request) as response:
        return pandas.DataFrame(json.load(response)["rows"])


def from_ndjson():
    return pandas.read_json(
        f"{reports}/ledger.ndjson?{period}", lines=True, storage_options=headers, dtype=False
    )


def from_csv():
    return pandas.read_csv(
        f"{reports}/ledger.csv?{period}",
        storage_options=headers,
        dtype={"entry": str, "note": str, "paid": "Int64"},
        parse_dates=["day", "posted_at"],
        keep_default_na=False,
        na_values=[""],
    )


def statistics(table):
    day = pandas.to_datetime(table["day"])
    posted_at = pandas.to_datetime(table["posted_at"], utc=True)
    texts = table[["entry", "counterparty", "note"]].astype(object)
    return {
        "rows": len(table),
        "columns": list(table.columns),
        "kinds": {column: str(table[column].dtype) for column in ["units", "amount"]},
        "sums": {column: str(int(table[column].sum())) for column in ["units", "amount", "paid"]},
        "nulls": int(table["paid"].isna().sum()),
        "weight": round(float(table["weight"].sum()), 3),
        "last_day": day.max().date().isoformat(),
        "last_posted": posted_at.max().isoformat(),
        "texts": texts.where(texts.notna(), None).values.tolist(),
    }


json.dump({"json": statistics(from_json()), "ndjson": statistics(from_ndjson()), "csv": statistics(from_csv())}, sys.stdout)
