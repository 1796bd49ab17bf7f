/** The OpenAPI 3.1 document of a catalog: a path for each report and format. */
import { reportFault } from '../../definitions/comparison.ts'
import type { Catalog, ReportDefinition } from '../../definitions/definition.ts'
import type { ProblemCode } from '../../model/errors.ts'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { ReportFormat } from '../../model/terms.ts'
import { OFFERED_FORMATS } from '../formats/catalog.ts'
import { COMMON_SCHEMAS, reportBody, rowSchema } from './bodies.ts'
import { DATA_HEADERS, DESCRIPTION_HEADERS, headerRefs, HEADERS } from './headers.ts'
import { parameterComponents, parameterRefs } from './parameters.ts'
import type { ParameterName } from './parameters.ts'
import { PROBLEM_SCHEMA, problemRefs, problemResponses } from './problems.ts'

const DESCRIPTION = `Read-only reports and metrics of an organization. HEAD has the status and headers of GET.
For generators of clients: each report has the operation report_CODE, which is JSON by default, and report_CODE_FORMAT for each format; select by tag what you need, and ignore unknown fields, since fields may be added.
Every response is complete before its first byte: a report of any length has a Content-Length and an ETag, and is resumed by Range. A large one that is compressed has no Content-Length.`

/** @see https://spec.openapis.org/oas/v3.1.1.html */
export interface OpenApi {
  readonly openapi: string
  readonly info: object
  readonly tags: readonly object[]
  readonly servers: readonly object[]
  readonly security: readonly object[]
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

export interface Operation {
  readonly operationId: string
  readonly parameters: readonly object[]
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly deprecated?: boolean
  readonly responses: Readonly<Record<string, object>>
}

/** @param prefix path of the API */
export function createOpenApi({ reports }: Catalog, prefix: string): OpenApi {
  const definitions = [...reports.values()]
  return {
    openapi: '3.1.1',
    info: {
      title: 'svodka',
      version: 'v1',
      description: DESCRIPTION,
      contact: { name: 'the svodka authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: tagsOf(definitions),
    servers: [{ url: prefix }],
    security: Object.keys(SECURITY).map(name => ({ [name]: [] })),
    paths: { ...commonPaths(), ...Object.assign({}, ...definitions.map(reportPaths)) },
    components: {
      securitySchemes: SECURITY,
      headers: HEADERS,
      parameters: parameterComponents(),
      responses: { ...problemResponses(), NotModified: NOT_MODIFIED, Partial: PARTIAL },
      schemas: {
        ...COMMON_SCHEMAS,
        Problem: PROBLEM_SCHEMA,
        ...Object.assign({}, ...definitions.map(reportSchemas)),
      },
    },
  }
}

function tagsOf(definitions: readonly ReportDefinition[]): object[] {
  const ofGroups = definitions.map(
    ({ group }) => [group, `Reports of the group ${group}.`] as const,
  )
  const tags = new Map([
    ...ofGroups,
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

const PARTIAL = {
  description: 'The part that Range asks for, of the type of the whole response.',
  headers: headerRefs([...DATA_HEADERS, 'Content-Range']),
  content: { '*/*': {} },
}

const OF_ALL: readonly ProblemCode[] = [
  'api_key_required',
  'module_locked',
  'not_found',
  'method_not_allowed',
  'bad_request',
  'request_timeout',
  'headers_too_large',
  'rate_limited',
  'internal_error',
  'access_unavailable',
]
const OF_DATA: readonly ProblemCode[] = [...OF_ALL, 'range_not_satisfiable', 'report_timeout']

function commonPaths(): OpenApi['paths'] {
  return {
    '/ping': described('ping', 'catalog', 'Checks the key.', 'Ping'),
    '/openapi.json': described('openapi', 'catalog', 'This document.', 'OpenApi'),
    '/reports': described('reports', 'catalog', 'The reports.', 'ReportList'),
    '/metrics/schema': described(
      'metrics_schema',
      'catalog',
      'Units of the metrics.',
      'MetricsSchema',
    ),
    '/metrics': {
      get: {
        operationId: 'metrics',
        tags: ['metrics'],
        summary: 'Figures of the business for a period.',
        description: 'Figures of the business for a period, with a comparison if one is asked for.',
        ...dataOperation(['codes', 'from', 'to', 'compare'], json(refOf('Metrics'))),
      },
    },
  }
}

function reportPaths(definition: ReportDefinition): OpenApi['paths'] {
  const { code, group, title, description } = definition
  const meaning = description ?? title
  const deprecated = definition.deprecated !== undefined
  const periods = periodParameters(definition)
  const ofFormat = (format: ReportFormat) => ({
    get: {
      operationId: `report_${code}_${format}`,
      tags: [group],
      summary: `${title}: ${format}`,
      description: meaning,
      deprecated,
      ...dataOperation([...periods, ...parametersOf(format)], contentOf(definition, format)),
    },
  })
  const any = Object.assign({}, ...REPORT_FORMATS.map(format => contentOf(definition, format)))
  return {
    [`/reports/${code}`]: {
      get: {
        operationId: `report_${code}`,
        tags: [group],
        summary: title,
        description: meaning,
        deprecated,
        ...dataOperation([...periods, 'format', 'preset', 'end'], any),
      },
    },
    ...Object.fromEntries(
      REPORT_FORMATS.map(format => [`/reports/${code}.${format}`, ofFormat(format)]),
    ),
    [`/reports/${code}/schema`]: described(
      `report_${code}_schema`,
      group,
      `${title}: columns, key, units.`,
      'ReportSchema',
    ),
  }
}

/** A path that responds with JSON of this schema. */
function described(
  operationId: string,
  tag: string,
  summary: string,
  schema: string,
): { readonly get: Operation } {
  return {
    get: {
      operationId,
      tags: [tag],
      summary,
      description: `${summary} Without an execution.`,
      parameters: parameterRefs([]),
      responses: {
        200: {
          description: summary,
          headers: headerRefs(DESCRIPTION_HEADERS),
          content: json(refOf(schema)),
        },
        304: { $ref: '#/components/responses/NotModified' },
        ...problemRefs(OF_ALL),
      },
    },
  }
}

function periodParameters(definition: ReportDefinition): ParameterName[] {
  return reportFault(definition) === undefined ? ['from', 'to', 'compare'] : ['from', 'to']
}

function parametersOf(format: ReportFormat): ParameterName[] {
  const { variant } = OFFERED_FORMATS[format]
  return variant === undefined ? [] : [variant.parameter]
}

function dataOperation(
  parameters: readonly ParameterName[],
  content: object,
): Pick<Operation, 'responses' | 'parameters'> {
  const headers = headerRefs(DATA_HEADERS)
  return {
    parameters: parameterRefs(parameters),
    responses: {
      200: { description: 'The whole response.', headers, content },
      206: { $ref: '#/components/responses/Partial' },
      304: { $ref: '#/components/responses/NotModified' },
      ...problemRefs(OF_DATA),
    },
  }
}

function contentOf({ code }: ReportDefinition, format: ReportFormat): object {
  const [mediaType = ''] = OFFERED_FORMATS[format].mediaTypes
  const row = refOf(`${code}_row`)
  if (format === 'json') return { [mediaType]: { schema: refOf(`${code}_report`) } }
  // why: OpenAPI 3.1 cannot describe the lines of a text or the rows of a file
  const binary = OFFERED_FORMATS[format].format.isText ? {} : { format: 'binary' }
  return { [mediaType]: { schema: { type: 'string', ...binary }, 'x-row-schema': row } }
}

function reportSchemas(definition: ReportDefinition): Record<string, object> {
  const row = `${definition.code}_row`
  return {
    [row]: rowSchema(definition, definition.columns),
    [`${definition.code}_report`]: reportBody(definition, refOf(row)),
  }
}

function json(schema: object): object {
  return { 'application/json': { schema } }
}

function refOf(schema: string): object {
  return { $ref: `#/components/schemas/${schema}` }
}
