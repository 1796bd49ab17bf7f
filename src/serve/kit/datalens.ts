/** Yandex DataLens: the tabs of a table in Editor over an API Connector. */
import type { ColumnSchema } from '../openapi/schema.ts'
import type { KitSource } from './kit-source.ts'
import { nameReports, quoteJson } from './quote.ts'

export function datalens(source: KitSource): string {
  const { code, title, columns } = source.reports[0]!
  const { hostname, port, protocol, pathname } = new URL(source.baseUrl)
  const to = source.to === undefined ? '' : `&to=${source.to}`
  const path = `/reports/${code}.json?from=${source.from}${to}`
  return String.raw`
// ${nameReports(source)}: таблица DataLens; деньги — в рублях. API Connector работает только в чартах Editor;
// для датасетов загрузите отчёт в ClickHouse или PostgreSQL: svodka kit clickhouse, svodka kit psql.
// 1. Подключение → API Connector: хост ${hostname}, порт ${port || (protocol === 'https:' ? '443' : '80')}, путь ${pathname};
//    закрытый заголовок X-Api-Key — ключ API. При 429 и 503 обновите чарт через Retry-After секунд.
// 2. Чарт в Editor → Таблица. Вкладки:

// === Meta (вместо ID_ПОДКЛЮЧЕНИЯ — его идентификатор) ===
/*
{"links": {"svodka": "ID_ПОДКЛЮЧЕНИЯ"}}
*/

// === Source ===
module.exports = {
  report: { apiConnectionId: Editor.getId('svodka'), path: ${quoteJson(path)}, method: 'GET' },
}

// === Config ===
module.exports = { title: { text: ${quoteJson(title)} }, size: 'm' }

// === Prepare ===
const { body } = Editor.getLoadedData().report.data
// ответ с ошибкой: её текст и номер запроса
if (!body.rows) throw new Error(body.detail + ' (запрос ' + body.requestId + ')')
const head = [
${columns.map(headOf).join('\n')}
]
const cellsOf = row => ({
  cells: head.map(({ id, type }) => ({ value: type === 'date' && row[id] !== null ? Date.parse(row[id]) : row[id] })),
})
module.exports = { head, rows: body.rows.map(cellsOf), footer: [cellsOf(body.totals)] }`
}

function headOf({ key, title, type }: ColumnSchema): string {
  const formats: Readonly<Record<string, string>> = {
    money: `type: 'number', formatter: { multiplier: 0.01, precision: 2, suffix: ' ₽' }`,
    percent: `type: 'number', formatter: { precision: 1, suffix: ' %' }`,
    integer: `type: 'number', formatter: { precision: 0 }`,
    number: `type: 'number'`,
    date: `type: 'date', format: 'DD.MM.YYYY'`,
  }
  return `  { id: ${quoteJson(key)}, name: ${quoteJson(title)}, ${formats[type] ?? "type: 'text'"} },`
}
