# __TITLE__: ⟦the table of the screen, without its totals; money is in whole units of its currency.⟧
# __SHOWN__. ⟦Run⟧: export SVODKA_KEY=...; python3 -i svodka.py
import os, pandas
address, key = "__QUERIED__", {"X-Api-Key": os.environ["SVODKA_KEY"]}
table = pandas.read_csv(address, storage_options=key, dtype=__DTYPES__, parse_dates=__DATES__, keep_default_na=False, na_values=[""])
table[__MONEY__] /= 10 ** pandas.read_json("__URL__" + "/ping", storage_options=key, typ="series")["digits"]
for column, code in __OWN__.items(): table[column] /= 10 ** table[code].map(dict(__OTHERS__)).fillna(2 * table[code].notna())
table = table.sort_values("__SORTED__", ascending=__ASCENDING__, kind="stable", ignore_index=True)
