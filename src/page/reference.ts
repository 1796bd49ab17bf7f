/** The API for those who program, from its OpenAPI document; and the columns of a report. */
import { requestJson, urlOf } from './api.ts'
import type { TableColumn, ReportDescription } from './api.ts'
import { h } from './dom.ts'
import { formatCount } from './format.ts'
import type { Page } from './page.ts'
import { loadInto } from './problem.ts'
import { hrefOf } from './state.ts'
import { isEnglish, TEXTS } from './texts.ts'

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: {
    readonly parameters: Readonly<
      Record<string, { readonly name: string; readonly in: string; readonly description?: string }>
    >
    readonly responses: Readonly<Record<string, ApiResponse>>
  }
}

interface ApiResponse {
  readonly description: string
  readonly content?: { readonly 'application/problem+json': { readonly examples: Examples } }
}
type Examples = Readonly<Record<string, { readonly value: { readonly title: string } }>>

interface Operation {
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly { readonly $ref: string }[]
}

export function reference(page: Page): HTMLElement[] {
  const content = h('div', {}, h('p', { className: 'muted' }, TEXTS.loading))

  async function load(): Promise<void> {
    const api = await requestJson<OpenApi>('/openapi.json', page.signal)
    content.replaceChildren(...sections(api))
  }

  loadInto(content, load, page.signal)
  return [h('section', { className: 'reference' }, h('h1', {}, TEXTS.reference), content)]
}

function sections({ paths, components }: OpenApi): HTMLElement[] {
  // why: every report has the same paths beneath its own, which one sentence describes
  const main = Object.entries(paths).filter(([path]) => !/^\/reports\/[^./]*[./]/.test(path))
  const parametersOf = ({ parameters }: Operation): string =>
    parameters
      .map(({ $ref }) => components.parameters[nameOf($ref)]!)
      .filter(parameter => parameter.in === 'query')
      .map(({ name }) => name)
      .join(', ')
  const ofTag = (tag: string): HTMLElement => {
    const operations = main.filter(([, { get }]) => get.tags.includes(tag))
    const rows = operations.map(([path, { get }]) => [
      pathOf(path),
      TEXTS.paths[path] ?? get.summary,
      parametersOf(get),
    ])
    return h('section', {}, h('h2', {}, TEXTS.groups[tag] ?? tag), tableOf(rows))
  }
  const tags = new Set(main.flatMap(([, { get }]) => get.tags))
  return [
    h('pre', { tabIndex: 0 }, `curl -H 'X-Api-Key: ...' '${urlOf('/reports')}'`),
    h('p', {}, TEXTS.beneath),
    ...Array.from(tags, ofTag),
    h('section', {}, h('h2', {}, TEXTS.errors), tableOf(problems(components.responses))),
  ]
}

function pathOf(path: string): HTMLElement {
  const [, report] = /^\/reports\/(\w+)$/.exec(path) ?? []
  const text = h('code', {}, path)
  return report === undefined ? text : h('a', { href: hrefOf({ report }) }, text)
}

function problems(responses: OpenApi['components']['responses']): readonly Cell[][] {
  const statuses = Object.keys(responses).flatMap(name => /^Problem(\d+)$/.exec(name)?.[1] ?? [])
  return statuses.toSorted().flatMap(status => {
    const { description, content } = responses[`Problem${status}`]!
    const examples = Object.entries(content!['application/problem+json'].examples)
    // why: the document is English, its examples are not
    return examples.map(([code, { value }]) => {
      const [, title = ''] = new RegExp(`\`${code}\`: ([^;]*)`).exec(description) ?? []
      return [status, h('code', {}, code), isEnglish ? title : value.title]
    })
  })
}

/** Columns, key, formats and limits. */
export function columnsOf({ columns, key, formats, limits }: ReportDescription): HTMLElement {
  const rows = columns.map(column => [
    column.title,
    h('code', {}, column.key),
    column.type,
    unitOf(column.unit),
  ])
  const head = [TEXTS.column, TEXTS.columnKey, TEXTS.columnType, TEXTS.columnUnit]
  return h(
    'div',
    {},
    tableOf(rows, head),
    h('p', {}, `${TEXTS.rowKey}: `, h('code', {}, key.join(', '))),
    h('p', {}, `${TEXTS.maxRows}: ${formatCount(limits.maxRows)}`),
    h('p', {}, `${TEXTS.formats}: ${formats.map(({ format }) => format).join(', ')}`),
  )
}

type Cell = string | HTMLElement

function tableOf(rows: readonly (readonly Cell[])[], head?: readonly string[]): HTMLElement {
  return h(
    'div',
    { className: 'wide', tabIndex: 0 },
    h(
      'table',
      { className: 'plain' },
      head && h('thead', {}, h('tr', {}, ...head.map(text => h('th', { scope: 'col' }, text)))),
      h(
        'tbody',
        {},
        ...rows.map(cells => h('tr', {}, ...cells.map(content => h('td', {}, content)))),
      ),
    ),
  )
}

/** The last name of a reference. */
function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

function unitOf(unit: TableColumn['unit']): string {
  if (unit === null) return ''
  return typeof unit === 'string' ? unit : `→ ${unit.column}`
}
