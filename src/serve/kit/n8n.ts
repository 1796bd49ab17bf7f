/** n8n: a workflow that requests a period and splits it into items. */
import type { KitSource } from './kit-source.ts'
import { nameReports } from './quote.ts'

interface Node {
  readonly name: string
  readonly type: string
  readonly typeVersion: number
  readonly parameters: object
  readonly credentials?: object
}

export function n8n(source: KitSource): string {
  const { baseUrl, from, to } = source
  const { code } = source.reports[0]!
  const query = { from, ...(to !== undefined && { to }) }
  const nodes: Node[] = [
    node('Каждую ночь', 'scheduleTrigger', 1.2, {
      rule: { interval: [{ field: 'days', triggerAtHour: 4 }] },
    }),
    {
      ...node('Отчёт', 'httpRequest', 4.2, {
        url: `${baseUrl}/reports/${code}.json`,
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
        sendQuery: true,
        queryParameters: {
          parameters: Object.entries(query).map(([name, value]) => ({ name, value })),
        },
        sendHeaders: true,
        headerParameters: { parameters: [{ name: 'Accept-Language', value: 'ru' }] },
        // why: the node itself cannot wait as long as Retry-After says
        options: {
          response: { response: { fullResponse: true, neverError: true, responseFormat: 'json' } },
          timeout: 120000,
        },
      }),
      credentials: { httpHeaderAuth: { id: '', name: 'svodka' } },
    },
    node('Готово?', 'if', 2.2, condition('number', 'equals', '={{ $json.statusCode }}', 200)),
    node('Подождать?', 'if', 2.2, {
      ...condition('number', 'gt', "={{ Number($json.headers['retry-after'] ?? 0) }}", 0),
    }),
    node('Retry-After', 'wait', 1.1, {
      amount: "={{ Number($json.headers['retry-after']) }}",
      unit: 'seconds',
    }),
    node('Ошибка', 'stopAndError', 1, {
      errorMessage:
        '={{ $json.statusCode }} {{ $json.body.code }}: {{ $json.body.detail }} (запрос {{ $json.body.requestId }})',
    }),
    node('Строки', 'splitOut', 1, { fieldToSplitOut: 'body.rows' }),
  ]
  const links: ReadonlyArray<readonly [string, ...string[]]> = [
    ['Каждую ночь', 'Отчёт'],
    ['Отчёт', 'Готово?'],
    ['Готово?', 'Строки', 'Подождать?'],
    ['Подождать?', 'Retry-After', 'Ошибка'],
    ['Retry-After', 'Отчёт'],
  ]
  const workflow = {
    name: `${nameReports(source)}: svodka`,
    meta: {
      description:
        'Workflows → Import from File. Создайте credential «svodka» (Header Auth: имя X-Api-Key, значение — ключ API) и выберите его в узле «Отчёт». Деньги — целые копейки.',
    },
    nodes: nodes.map((each, at) =>
      Object.assign({ id: `svodka-${at}`, position: [at * 220, 0] }, each),
    ),
    connections: Object.fromEntries(links.map(([name, ...targets]) => [name, connection(targets)])),
    settings: { executionOrder: 'v1' },
  }
  return JSON.stringify(workflow, null, 2)
}

function node(name: string, type: string, typeVersion: number, parameters: object): Node {
  return { name, type: `n8n-nodes-base.${type}`, typeVersion, parameters }
}

function condition(type: string, operation: string, leftValue: string, rightValue: number) {
  const options = { caseSensitive: true, typeValidation: 'strict', version: 2 }
  const conditions = [{ id: operation, leftValue, rightValue, operator: { type, operation } }]
  return { conditions: { options, combinator: 'and', conditions } }
}

function connection(targets: readonly string[]) {
  return { main: targets.map(name => [{ node: name, type: 'main', index: 0 }]) }
}
