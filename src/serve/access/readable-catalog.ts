/** What a key may read: the part of a catalog that its requests are answered from, with the values that it fixes. */
import { LRUCache } from 'lru-cache'
import { allDefinitions, type AnyDefinition } from '../../definitions/any-definition.ts'
import type { Catalog, Parameter } from '../../definitions/definition.ts'
import { valueType } from '../../definitions/parameter-value.ts'
import { valueFault } from '../../definitions/parameter-values.ts'
import { hashOf } from '../../definitions/source-file.ts'
import { inEnglish, printable } from '../../model/errors.ts'
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

/**
 * @param reports JSON as `AccessDefinition.text` returns it, as `parameters`; null for everything
 * @returns what is wrong with them, without values
 */
export function readableCatalog(
  catalog: Catalog,
  reports: RawField,
  parameters: RawField,
): ReadableCatalog | string {
  const isWhole = reports === null && parameters === null
  const scope = isWhole ? '' : JSON.stringify([reports, parameters])
  const ofCatalog = made.get(catalog) ?? new LRUCache({ max: MAX_SCOPES })
  const known = ofCatalog.get(scope)
  if (known !== undefined) return known
  const readable = makeReadable(catalog, reports, parameters, scope && hashOf(scope))
  made.set(catalog, ofCatalog.set(scope, readable))
  return readable
}

function makeReadable(
  catalog: Catalog,
  reports: RawField,
  parameters: RawField,
  scopeId: string,
): ReadableCatalog | string {
  const entries: unknown = reports === null ? undefined : JSON.parse(reports)
  if (!isListOfTexts(entries)) return 'reports is no list of texts, expected such as report:debts'
  const fixed = fixedValues(parameters)
  if (typeof fixed === 'string') return fixed

  const isReadable = ({ parameters: own }: AnyDefinition, ...names: readonly string[]): boolean =>
    (entries === undefined || names.some(name => entries.includes(name))) &&
    [...fixed.keys()].every(name => own.some(one => one.name === name))
  const allowed = [...catalog.reports].filter(([code, report]) =>
    isReadable(report, `report:${code}`, `group:${report.group}`),
  )
  const files = new Map([...catalog.metricsFiles].map(([area, file]) => [area, fix(file, fixed)]))
  const metrics = [...catalog.metrics].flatMap(([code, { metric, file }]) =>
    isReadable(file, `metric:${code}`)
      ? [[code, { metric, file: files.get(file.area)! }] as const]
      : [],
  )
  const readable = {
    product: catalog.product,
    reports: new Map(allowed.map(([code, report]) => [code, fix(report, fixed)])),
    metrics: new Map(metrics),
  }
  const definitions = [...readable.reports.values(), ...metrics.map(([, { file }]) => file)]
  for (const [name, value] of fixed) {
    const all = faultsOf(name, value, allDefinitions(catalog))
    const [fault] = all.every(Boolean) ? all : faultsOf(name, value, definitions).filter(Boolean)
    if (all.length === 0) return `parameters: nothing declares ${printable(name)}`
    if (fault !== undefined) return `parameters.${name} has a wrong value, expected ${fault}`
  }
  return { ...readable, whole: catalog, scopeId }
}

function isListOfTexts(entries: unknown): entries is readonly string[] | undefined {
  if (entries === undefined) return true
  return Array.isArray(entries) && entries.every(one => typeof one === 'string')
}

/** @param json such as `{"warehouse": 12}` @returns texts by name, or what is wrong */
function fixedValues(json: RawField): ReadonlyMap<string, string> | string {
  // why: as numbers, values would lose digits; within texts, quotes are escaped
  const values: unknown = JSON.parse((json ?? '{}').replaceAll(/(\w": )(-?[\d.]+)/g, '$1"$2"'))
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return 'parameters is no object, expected values by name'
  const fixed = new Map<string, string>()
  for (const [name, value] of Object.entries<unknown>({ ...values })) {
    if (typeof value !== 'string' && typeof value !== 'boolean')
      return `parameters: ${printable(name)} is null, a list or an object, expected one value`
    fixed.set(name, String(value))
  }
  return fixed
}

/** What each declaration of the parameter expects of the value; undefined where it fits. */
function faultsOf(name: string, value: string, definitions: readonly AnyDefinition[]) {
  const declared = definitions.flatMap(({ parameters }) => parameters.filter(p => p.name === name))
  return declared.map(parameter => {
    const fault = valueFault(parameter, value)
    return fault && inEnglish(fault)
  })
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
