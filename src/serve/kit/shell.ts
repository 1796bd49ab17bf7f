/** Parts of the scripts for a POSIX shell: a request by curl, and a loop over changed months. */
import type { KitSource } from './kit-source.ts'
import { codeOf, quoteShell } from './quote.ts'

/** Variables `url`, `report`, `from` and `to`, from arguments or with these defaults. */
export function shellSettings(source: KitSource): string {
  const code = codeOf(source)
  const report = code === undefined ? '${1:?нужен код отчёта}' : '${1:-' + quoteShell(code) + '}'
  return `set -eu
: "\${SVODKA_KEY:?нужен ключ API: export SVODKA_KEY=...}"
url=${quoteShell(source.baseUrl)}
report=${report} from=\${2:-${source.from}} to=\${3:-${source.to ?? ''}}`
}

/** Defines `get PATH FILE [INSTANT]`. */
export const SHELL_GET = String.raw`# get ПУТЬ ФАЙЛ [ВРЕМЯ]: при 429 и 503 curl ждёт, сколько просит Retry-After; ключа нет в списке процессов.
get() {
  printf 'X-Api-Key: %s\n' "$SVODKA_KEY" |
    curl --silent --show-error --fail-with-body --compressed --retry 10 --retry-connrefused \
      --header @- --header 'Accept-Language: ru' --header "Min-Data-As-Of: ${'${3:-}'}" \
      --dump-header "$2.head" --output "$2" "$url$1" && return
  cat "$2" >&2 && echo >&2 # ответ с detail и requestId
  return 1
}`

/** Databases of loaders: shell functions that the loop calls. */
export interface ShellDatabase {
  /** What it is and how to run it, as comment lines. */
  readonly comment: string
  /** Defines `create_tables`, `list_changed` and `replace_month`. */
  readonly functions: string
}

export function shellLoader(source: KitSource, { comment, functions }: ShellDatabase): string {
  return String.raw`
#!/bin/sh
${comment}
${shellSettings(source)}
work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT

${SHELL_GET}

${functions}

get /ping "$work/ping"
get "/reports/$report/schema" "$work/schema"
create_tables
# Загружает изменившиеся месяцы, пока два списка не совпадут: тогда таблица — как на один момент.
newest=''
# Месяцы не старше списка, а следующий список не старше месяцев: данных позже секунды из Date в ответе нет.
moment_of() {
  sed -n 's/^[Dd]ate: [A-Za-z]*, \([0-9]*\) \([A-Za-z]*\) \([0-9]*\) \([0-9:]*\).*/\3-\2-\1T\4.999Z/p' "$1.head" | tail -n 1 |
    sed 's/Jan/01/; s/Feb/02/; s/Mar/03/; s/Apr/04/; s/May/05/; s/Jun/06/; s/Jul/07/; s/Aug/08/; s/Sep/09/; s/Oct/10/; s/Nov/11/; s/Dec/12/'
}
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  get "/reports/$report/periods?from=$from${'${to:+&to=$to}'}" "$work/periods" "$newest"
  list_changed >"$work/changed"
  [ -s "$work/changed" ] || exit 0
  listed=$(moment_of "$work/periods")
  while IFS='|' read -r first last fingerprint; do
    get "/reports/$report.ndjson?from=$first&to=$last" "$work/rows" "$listed"
    newest=$(moment_of "$work/rows")
    touch "$work/rows" # пустой ответ curl не пишет
    replace_month
    echo "$report $first: загружен"
    rm "$work/rows"
  done <"$work/changed"
done
echo 'Данные меняются быстрее, чем загружаются: остальное возьмёт следующий запуск' >&2`
}
