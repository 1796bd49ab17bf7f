/** What a key may read: the part of a catalog that its requests are answered from, with the values that it fixes. */
import { LRUCache } from 'lru-cache'
import { allDefinitions, type AnyDefinition } from '../../definitions/any-definition.ts'
import type { Catalog, Parameter } from '../../definitions/definition.ts'
import { valueType } from '../../definitions/parameter-value.ts'
import { valueFault } from '../../definitions/parameter-values.ts'
import { hashOf } from '../../definitions/source-file.ts'
import type { RawField } from '../../model/terms.ts'

export interface ReadableCatalog extends Pick<Catalog, 'reports' | 'metrics' | 'product'> {
  /** Tells only whether a code exists, for this key or for another. */
  readonly whole: Readonly<Record<'reports' | 'metrics', { has(code: string): boolean }>>
  /** Equal only for equal scopes; empty if it is everything. */
  readonly scopeId: string
}

/** Of a catalog; more are made again. */
const MAX_SCOPES = 200
const made = new WeakMap<Catalog, LRUCache<string, ReadableCatalog | string>>()

/** As `AccessDefinition.text` returns them: JSON, or null for everything. */
type Scope = readonly [reports: RawField, parameters: RawField]

/** @returns what is wrong with the scope, without values */
export function readableCatalog(catalog: Catalog, scope: Scope): ReadableCatalog | string {
  // why: JSON of PostgreSQL has no line feed and is never empty; its texts may be long
  const text = scope.join('\n')
  const ofCatalog = made.get(catalog) ?? new LRUCache({ max: MAX_SCOPES })
  const known = ofCatalog.get(text)
  if (known !== undefined) return known
  const readable = makeReadable(catalog, scope, text === '\n' ? '' : hashOf(text))
  made.set(catalog, ofCatalog.set(text, readable))
  return readable
}

function makeReadable(catalog: Catalog, [reports, parameters]: Scope, scopeId: string) {
  const entries: unknown = reports === null ? [] : JSON.parse(reports)
  if (!Array.isArray(entries) || entries.some(entry => typeof entry !== 'string'))
    return 'reports is no list of texts, expected entries such as report:debts'
  // why: as numbers, values would lose digits; within texts, quotes are escaped
  const exact = parameters?.replaceAll(/(\w": )(-?[\d.]+)/g, '$1"$2"')
  const given: unknown = JSON.parse(exact ?? '{}')
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'parameters is no object, expected values by name'
  // why: no parameter takes an empty text
  const fixed = new Map(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' || typeof value === 'boolean' ? String(value) : '',
    ]),
  )
  const takes = ({ parameters: own }: AnyDefinition, name: string): boolean =>
    own.some(one => one.name === name && !valueFault(one, fixed.get(name)!))
  const names = [...fixed.keys()]
  const wrong = names.find(name => !allDefinitions(catalog).some(each => takes(each, name)))
  if (wrong !== undefined)
    return `parameters: nothing that declares ${JSON.stringify(wrong)} takes its value, expected one value of its form`

  const isReadable = (definition: AnyDefinition, ...own: readonly string[]): boolean =>
    (reports === null || own.some(entry => entries.includes(entry))) &&
    names.every(name => takes(definition, name))
  const files = new Map([...catalog.metricsFiles].map(([area, file]) => [area, fix(file, fixed)]))
  const readable = [...catalog.reports.values()].filter(report =>
    isReadable(report, `report:${report.code}`, `group:${report.group}`),
  )
  const metrics = [...catalog.metrics].flatMap(([code, { metric, file }]) =>
    isReadable(file, `metric:${code}`)
      ? [[code, { metric, file: files.get(file.area)! }] as const]
      : [],
  )
  return {
    product: catalog.product,
    reports: new Map(readable.map(report => [report.code, fix(report, fixed)])),
    metrics: new Map(metrics),
    whole: catalog,
    scopeId,
  }
}

function fix<D extends AnyDefinition>(definition: D, values: ReadonlyMap<string, string>): D {
  if (values.size === 0) return definition
  const parameters = definition.parameters.map((parameter): Parameter => {
    const value = values.get(parameter.name)
    if (value === undefined) return parameter
    const fixed = valueType(parameter.type).canonical(value)
    const choices = parameter.choices?.filter(choice => choice.value === fixed)
    return { ...parameter, required: false, default: fixed ?? null, choices, fixed }
  })
  return { ...definition, parameters }
}
