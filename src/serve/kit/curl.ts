/** curl: a period as a file in any format. */
import type { KitSource } from './kit-source.ts'
import { nameReports } from './quote.ts'
import { SHELL_GET, shellSettings } from './shell.ts'

export function curl(source: KitSource): string {
  return String.raw`
#!/bin/sh
# ${nameReports(source)}: период в файл. Нужен curl 7.76 или новее.
# Запуск: export SVODKA_KEY=...; sh svodka.sh КОД [С [ПО [ФОРМАТ]]]; форматы: csv, xlsx, ndjson, json, parquet.
${shellSettings(source)}
format=${'${4:-csv}'}
file="${'${report}_${from}'}${'${to:+_$to}'}.$format"
trap 'rm -f "$file.part" "$file.part.head"' EXIT

${SHELL_GET}

# Файл появляется целиком: прерванную загрузку повторит следующий запуск.
get "/reports/$report.$format?from=$from${'${to:+&to=$to}'}" "$file.part"
touch "$file.part" # пустой ответ curl не пишет
mv "$file.part" "$file"
echo "$file"`
}
