# __TITLE__: ⟦таблица с экрана; деньги — в рублях, строки «Итого» нет.¦the table of the screen, without its totals; money is in roubles.⟧
# __SHOWN__. ⟦Запуск¦Run⟧: export SVODKA_KEY=...; python3 -i svodka.py
import os, pandas
address, key = "__QUERIED__", {"X-Api-Key": os.environ["SVODKA_KEY"]}
table = pandas.read_csv(address, storage_options=key, dtype=__DTYPES__, parse_dates=__DATES__, keep_default_na=False, na_values=[""])
table[__MONEY__] /= 100
table = table.sort_values("__SORTED__", ascending=__ASCENDING__, kind="stable", ignore_index=True)
