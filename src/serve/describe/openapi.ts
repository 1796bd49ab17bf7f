/** The OpenAPI 3.1 document of a catalog: a path for each report and format. */
import { isComparable } from '../../definitions/comparison.ts'
import type { Catalog, ReportDefinition } from '../../definitions/definition.ts'
import { REPORT_FORMATS, type ReportFormat } from '../../model/terms.ts'
import { mediaTypeOf, OFFERED_FORMATS } from '../formats/catalog.ts'
import { COMMON_SCHEMAS, reportBody, rowSchema } from './bodies.ts'
import { DATA_HEADERS, headerRefs, HEADER_COMPONENTS, PARAMETER_COMPONENTS } from './components.ts'
import { parameterRefs, problemRefs, problemResponses, translated } from './components.ts'
import type { ParameterName } from './components.ts'
import { queryParameter } from './parameters.ts'
import { DESCRIPTION } from '../../texts/en/openapi.ts'
import { textsIn } from '../../texts/texts.ts'

type Paths = Record<string, object>

/**
 * @param prefix path of the API
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApi(
  { reports, metrics, product }: Pick<Catalog, 'reports' | 'metrics' | 'product'>,
  prefix: string,
): object {
  const all = [...reports.values()]
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'svodka',
      version: 'v1',
      description: DESCRIPTION,
      contact: { name: 'the svodka authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: tagsOf(all, product.language),
    servers: [{ url: prefix }],
    security: Object.keys(SECURITY).map(name => ({ [name]: [] })),
    paths: Object.assign({ ...COMMON_PATHS, ...metricsPath(metrics) }, ...all.map(reportPaths)),
    components: {
      ...COMPONENTS,
      responses: { ...problemResponses(product), NotModified: NOT_MODIFIED },
      schemas: Object.assign({}, COMMON_SCHEMAS, ...all.map(reportSchemas)),
    },
  }
  return inLanguage(document, product.language)
}

function inLanguage(document: object, language: string): object {
  if (Object.keys(textsIn(language).openapi).length === 0) return document
  const text = JSON.stringify(document, (key, value: unknown) =>
    /^(?:description|summary)$/.test(key) && typeof value === 'string'
      ? translated(value, language)
      : value,
  )
  return JSON.parse(text) as object
}

function tagsOf(definitions: readonly ReportDefinition[], language: string): object[] {
  const ofGroup = translated('Reports of the group', language)
  const tags = new Map([
    ...definitions.map(({ group }) => [group, `${ofGroup} ${group}.`] as const),
    ['catalog', 'What there is, and what it means.'],
    ['metrics', 'Single figures of the business.'],
  ])
  return Array.from(tags, ([name, description]) => ({ name, description }))
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The key as password, or as user name without a password.',
  },
} as const

const NOT_MODIFIED = {
  description: 'If-None-Match has the current ETag.',
  headers: headerRefs([...DATA_HEADERS, 'Link']),
}

const COMPONENTS = {
  securitySchemes: SECURITY,
  headers: HEADER_COMPONENTS,
  parameters: PARAMETER_COMPONENTS,
}

// why: operations share these objects, since a catalog of 27 reports has 190
const OTHER_RESPONSES = {
  304: { $ref: '#/components/responses/NotModified' },
  ...problemRefs([401, 402, 403, 404, 405, 400, 412, 408, 431, 429, 500, 503]),
}
// why: with 206 or another format beside JSON, generated clients have no type of a report
const OTHER_DATA_RESPONSES = { ...OTHER_RESPONSES, ...problemRefs([416, 428, 504]) }
/** Headers of bodies that are made once for all organizations. */
const DESCRIPTION_HEADER_REFS = headerRefs(['ETag', 'Content-Encoding', 'Link'])
const DATA_HEADER_REFS = headerRefs(DATA_HEADERS)

const COMMON_PATHS: Paths = {
  '/ping': schemaPath('ping', 'catalog', 'Checks the key.', 'Ping'),
  '/openapi.json': schemaPath('openapi', 'catalog', 'This document.', 'OpenApi'),
  '/reports': schemaPath('reports', 'catalog', 'The reports.', 'ReportList'),
  '/metrics/schema': schemaPath('metrics_schema', 'catalog', 'Units of metrics.', 'MetricsSchema'),
}

/** With the parameters of any metric, none of which is required here. */
function metricsPath(metrics: Catalog['metrics']): Paths {
  const declared = [...metrics.values()].flatMap(({ file }) => file.parameters)
  const byName = new Map(declared.map(one => [one.name, { ...one, required: false }]))
  const own = Array.from(byName.values(), queryParameter)
  return {
    '/metrics': path('metrics', 'metrics', 'Figures of the business for a period.', {
      description: 'Figures of the business for a period, with a comparison if one is asked for.',
      ...dataOperation(['codes', 'from', 'to', 'compare'], json('Metrics'), own),
    }),
  }
}

function reportPaths(definition: ReportDefinition): Paths {
  const { code, group, title, description = title } = definition
  const others = { description, deprecated: definition.deprecated !== undefined }
  const period: ParameterName[] = ['from', 'to']
  if (isComparable(definition)) period.push('compare')
  const own = definition.parameters.map(queryParameter)
  const [id, address] = [`report_${code}`, `/reports/${code}`]
  const paths: Paths = {
    [address]: path(id, group, title, {
      ...others,
      ...dataOperation(period, contentOf(code, 'json'), own),
    }),
  }
  for (const format of REPORT_FORMATS) {
    const { variant } = OFFERED_FORMATS[format]
    const parameters = variant === undefined ? period : [...period, variant.parameter]
    paths[`${address}.${format}`] = path(`${id}_${format}`, group, `${title}: ${format}`, {
      ...others,
      ...dataOperation(parameters, contentOf(code, format), own),
    })
  }
  const say = (text: string): string => translated(text, definition.product.language)
  const summary = `${title}: ${say('columns, key, units.')}`
  paths[`${address}/schema`] = schemaPath(`${id}_schema`, group, summary, 'ReportSchema', say)
  const ofParameters = `${title}: ${say('parameters.')}`
  paths[`${address}/parameters`] = path(`${id}_parameters`, group, ofParameters, {
    description: 'What the report may be asked for, with the values of the organization.',
    ...dataOperation([], json('Parameters')),
  })
  return paths
}

function path(operationId: string, tag: string, summary: string, others: object) {
  return { get: { operationId, tags: [tag], summary, ...others } }
}

/** A path that responds with JSON of this schema. */
function schemaPath(
  operationId: string,
  tag: string,
  summary: string,
  schema: string,
  say = (text: string) => text,
) {
  const ok = { description: summary, headers: DESCRIPTION_HEADER_REFS, content: json(schema) }
  return path(operationId, tag, summary, {
    description: `${summary} ${say('Without an execution.')}`,
    parameters: parameterRefs([]),
    responses: { 200: ok, ...OTHER_RESPONSES },
  })
}

function dataOperation(
  parameters: readonly ParameterName[],
  content: object,
  own: readonly object[] = [],
) {
  const ok = { description: 'The whole response.', headers: DATA_HEADER_REFS, content }
  const responses = { 200: ok, ...OTHER_DATA_RESPONSES }
  return { parameters: parameterRefs(parameters, own), responses }
}

function contentOf(code: string, format: ReportFormat): object {
  if (format === 'json') return json(`${code}_report`)
  const { format: body } = OFFERED_FORMATS[format]
  // why: OpenAPI 3.1 cannot describe the lines of a text or the rows of a file
  const schema = { type: 'string', ...(body.isText ? {} : { format: 'binary' }) }
  return { [mediaTypeOf(body)]: { schema, 'x-row-schema': refOf(`${code}_row`) } }
}

function reportSchemas(definition: ReportDefinition): Record<string, object> {
  const { code, columns } = definition
  return {
    [`${code}_row`]: rowSchema(definition, columns),
    [`${code}_report`]: reportBody(definition, refOf(`${code}_row`)),
  }
}

function json(schema: string): object {
  return { 'application/json': { schema: refOf(schema) } }
}

function refOf(schema: string): object {
  return { $ref: `#/components/schemas/${schema}` }
}
