/** The values of a request for the parameters of a definition. */
import { printable, Problem, type Detail } from '../model/errors.ts'
import type { Parameter, ParameterValues } from './definition.ts'
import { valueType } from './parameter-value.ts'

const MAX_NAMED_VALUES = 20

/** What a canonical value had to be; undefined if it is accepted. */
export function rejection(
  { type, minimum, maximum, choices }: Pick<Parameter, 'type' | 'minimum' | 'maximum' | 'choices'>,
  value: string,
): Detail | undefined {
  const { compare } = valueType(type)
  if (minimum !== null && compare!(value, minimum) < 0) return texts => texts.atLeast(minimum)
  if (maximum !== null && compare!(value, maximum) > 0) return texts => texts.atMost(maximum)
  if (choices === undefined || choices.some(choice => choice.value === value)) return undefined
  const named = choices.slice(0, MAX_NAMED_VALUES).map(choice => choice.value)
  const list = [...named, ...(choices.length > MAX_NAMED_VALUES ? ['...'] : [])].join(', ')
  return texts => texts.oneOf(list)
}

/** Those of a request without any, also if one is required. */
export function defaultValues(parameters: readonly Parameter[]): ParameterValues {
  return new Map(parameters.map(({ name, default: value }) => [name, value]))
}

/**
 * The values of a request, or the defaults.
 * @param given percent-decoded texts by name
 * @throws Problem `bad_request` for the first name whose value is not accepted, or is missing
 */
export function valuesFor(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, string | undefined>>,
): ParameterValues {
  return new Map(parameters.map(parameter => [parameter.name, valueFor(parameter, given)]))
}

function valueFor(
  parameter: Parameter,
  given: Readonly<Record<string, string | undefined>>,
): string | null {
  const { name, type, required } = parameter
  const text = given[name]
  const { canonical, expected } = valueType(type)
  if (text === undefined) {
    if (!required) return parameter.default
    throw wrongValue(parameter, undefined, expected)
  }
  const reason = valueFault(parameter, text)
  if (reason === undefined) return canonical(text)!
  throw wrongValue(parameter, printable(text), reason)
}

/** What a text had to be; undefined if it is a value of the parameter. */
export function valueFault(parameter: Parameter, text: string): Detail | undefined {
  const { fixed } = parameter
  const { canonical, expected } = valueType(parameter.type)
  const value = canonical(text)
  if (value === undefined) return expected
  if (fixed === undefined || value === fixed) return rejection(parameter, value)
  return texts => texts.fixedForKey(fixed)
}

function wrongValue({ name, title }: Parameter, found: string | undefined, expected: Detail) {
  return new Problem('bad_request', texts => texts.wrongValue(name, title, found, expected(texts)))
}

/** Names of fixed values, and of others than the defaults. */
export function namesOfSet(
  parameters: readonly Parameter[],
  values: ParameterValues = new Map(),
): string[] {
  const isSet = ({ name, default: ofReport, fixed }: Parameter): boolean => {
    const value = values.get(name) ?? null
    return value !== null && (value !== ofReport || fixed !== undefined)
  }
  return parameters.filter(isSet).map(({ name }) => name)
}

/** The same values as a part of a query: `&kind=income&warehouse=12`, by name. */
export function queryOfValues(
  parameters: readonly Parameter[],
  values: ParameterValues = new Map(),
): string {
  return namesOfSet(parameters, values)
    .map(name => `&${name}=${encodeURIComponent(values.get(name)!)}`)
    .join('')
}
