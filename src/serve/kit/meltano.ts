/** Meltano: a project file with a stream of tap-rest-api-msdk for each report. */
import type { KitSource } from './kit-source.ts'
import { rowJsonSchema } from './json-schema.ts'
import { nameReports, quoteJson } from './quote.ts'

export function meltano(source: KitSource): string {
  const { reports, baseUrl, from, to } = source
  const streams = reports.map(
    report => `
      - name: ${quoteJson(report.code)}
        path: ${quoteJson(`/reports/${report.code}.json`)}
        primary_keys: ${quoteJson(report.key)}
        schema: ${quoteJson(rowJsonSchema(report))}`,
  )
  return `
# ${nameReports(source)}: meltano.yml; деньги — целые копейки.
# Ключ — в .env, не в этом файле: TAP_REST_API_MSDK_API_KEYS='{"X-Api-Key": "..."}'
# Запуск: meltano lock --all; meltano install; meltano run tap-rest-api-msdk target-postgres. Таблицы заменяются целиком.
version: 1
default_environment: prod
environments:
- name: prod
plugins:
  extractors:
  - name: tap-rest-api-msdk
    variant: widen
    pip_url: tap-rest-api-msdk
    config:
      api_url: ${quoteJson(baseUrl)}
      auth_method: api_key
      headers: { Accept-Language: ru }
      params: ${quoteJson(to === undefined ? { from } : { from, to })}
      records_path: $.rows[*]
      # при 429 и 503 ждёт столько секунд, сколько просит заголовок
      backoff_type: header
      backoff_param: Retry-After
      streams:${streams.join('')}
  loaders:
  - name: target-postgres
    variant: meltanolabs
    pip_url: meltanolabs-target-postgres
    config: { load_method: overwrite, default_target_schema: svodka }`
}
