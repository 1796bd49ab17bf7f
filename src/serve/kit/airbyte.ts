/** Airbyte: a manifest of the Connector Builder with a stream for each report. */
import type { KitSource } from './kit-source.ts'
import { rowJsonSchema } from './json-schema.ts'
import { nameReports, quoteJson } from './quote.ts'

export function airbyte(source: KitSource): string {
  const { reports, baseUrl, from, to } = source
  const first = reports[0]?.code ?? ''
  const streams = reports.map(
    report => `
  - type: DeclarativeStream
    name: ${quoteJson(report.code)}
    primary_key: ${quoteJson(report.key)}
    schema_loader:
      type: InlineSchemaLoader
      schema: ${quoteJson(rowJsonSchema(report))}
    retriever:
      $ref: "#/definitions/retriever"
      requester:
        $ref: "#/definitions/requester"
        path: ${quoteJson(`/reports/${report.code}.json`)}`,
  )
  return `
# ${nameReports(source)}: манифест Airbyte; деньги — целые копейки. Builder → Import a YAML; ключ спрашивает сам коннектор.
# Режим синхронизации: Full refresh | Overwrite — строки, которых больше нет в отчёте, иначе останутся.
version: "6.0.0"
type: DeclarativeSource
check:
  type: CheckStream
  stream_names: [${quoteJson(first)}]
spec:
  type: Spec
  connection_specification:
    $schema: http://json-schema.org/draft-07/schema#
    type: object
    required: [api_key, from]
    additionalProperties: true
    properties:
      api_key: { type: string, title: Ключ API, airbyte_secret: true, order: 0 }
      from: { type: string, format: date, title: Первый день, default: ${quoteJson(from)}, order: 1 }
      to: { type: string, title: "Последний день; пусто: до конца текущего года", default: ${quoteJson(to ?? '')}, order: 2 }
definitions:
  retriever:
    type: SimpleRetriever
    record_selector:
      type: RecordSelector
      extractor: { type: DpathExtractor, field_path: [rows] }
  requester:
    type: HttpRequester
    url_base: ${quoteJson(baseUrl)}
    http_method: GET
    authenticator:
      type: ApiKeyAuthenticator
      api_token: "{{ config['api_key'] }}"
      inject_into: { type: RequestOption, inject_into: header, field_name: X-Api-Key }
    request_headers: { Accept-Language: ru }
    request_parameters: { from: "{{ config['from'] }}", to: "{{ config.get('to') or (now_utc().year ~ '-12-31') }}" }
    error_handler:
      type: DefaultErrorHandler
      max_retries: 10
      backoff_strategies: [{ type: WaitTimeFromHeader, header: Retry-After }]
      response_filters:
        - { type: HttpResponseFilter, http_codes: [429, 503, 504], action: RETRY }
        - type: HttpResponseFilter
          http_codes: [400, 401, 402, 404, 500]
          action: FAIL
          error_message: "{{ response.get('detail') }} (запрос {{ response.get('requestId') }})"
streams:${streams.join('')}`
}
