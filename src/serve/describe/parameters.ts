/** Parameters of a report, as its schema and OpenAPI describe them. */
import type { Parameter } from '../../definitions/definition.ts'
import { valueJson, type ParameterType } from '../../definitions/parameter-value.ts'

const JSON_TYPES: Readonly<Record<ParameterType, object>> = {
  text: { type: 'string', minLength: 1, maxLength: 200 },
  integer: { type: 'integer', format: 'int64' },
  money: { type: 'integer', format: 'int64', description: 'the smallest unit of the currency' },
  number: { type: 'number' },
  date: { type: 'string', format: 'date' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
}

/** A value in a body. */
export function valueSchema({ type }: Parameter): object {
  return JSON_TYPES[type]
}

/** For the schema of a report; values that a select returns are in `/parameters` alone. */
export function parameterFields(parameter: Parameter) {
  const { name, title, type, required, choices } = parameter
  const [ownDefault, minimum, maximum] = limitsOf(parameter)
  const values = choices?.map(({ value, label }) => ({ value: valueOf(type, value), label }))
  const limits = { default: ownDefault ?? null, minimum: minimum ?? null, maximum: maximum ?? null }
  return { name, title, type, required, ...limits, values: values ?? null }
}

/** As a parameter of an operation. */
export function queryParameter(parameter: Parameter): object {
  const { name, title, type, required, choices } = parameter
  const [ownDefault, minimum, maximum] = limitsOf(parameter)
  const isDate = type === 'date'
  const schema = {
    ...valueSchema(parameter),
    ...(choices && { enum: choices.map(({ value }) => valueOf(type, value)) }),
    default: ownDefault,
    minimum: isDate ? undefined : minimum,
    maximum: isDate ? undefined : maximum,
  }
  return { name, in: 'query', description: title, required, schema }
}

function limitsOf({ type, default: ownDefault, minimum, maximum }: Parameter) {
  return [ownDefault, minimum, maximum].map(value =>
    value === null ? undefined : valueOf(type, value),
  )
}

/** A text if a float would have other digits. */
function valueOf(type: ParameterType, value: string): unknown {
  const parsed: unknown = JSON.parse(valueJson(type, value))
  return String(parsed) === value ? parsed : value
}
