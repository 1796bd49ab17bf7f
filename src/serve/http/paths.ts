/** Queries and names of the API's paths. */
import { inclusiveDates } from '../../definitions/calendar.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { PREFIX } from '../../model/api-prefix.ts'
import type { Route } from '../../model/observation.ts'
import type { Period } from '../../model/terms.ts'
import { reportName } from './choose-format.ts'

/** The canonical query of a response, with an explicit period. */
export function queryOf(
  period: Period,
  more: Readonly<Record<string, string | undefined>>,
): string {
  const { from, to } = inclusiveDates(period)
  let query = `from=${from}&to=${to}`
  for (const [name, value] of Object.entries(more)) if (value) query += `&${name}=${value}`
  return query
}

const ROUTES: Readonly<Record<string, Route>> = {
  [`${PREFIX}/ping`]: 'ping',
  [`${PREFIX}/reports`]: 'reports',
  [`${PREFIX}/metrics`]: 'metrics',
  [`${PREFIX}/metrics/schema`]: 'schema',
  [`${PREFIX}/openapi.json`]: 'schema',
}

/** For observations. The report is named only if it exists. */
export function nameOf(path: string, { reports }: Catalog): { route: Route; report?: string } {
  const name = path.startsWith(`${PREFIX}/reports/`) ? path.slice(PREFIX.length + 9) : ''
  const [, described] = /^(.*)\/schema$/.exec(name) ?? []
  const route = described === undefined ? 'report' : 'schema'
  const code = described ?? reportName(name)?.code ?? ''
  if (reports.has(code)) return { route, report: code }
  if (name !== '') return { route }
  return { route: (Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined) ?? 'other' }
}
