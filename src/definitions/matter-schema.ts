/**
 * Compares front matter with a JSON schema of `schemas.ts`. Ajv finds what is wrong; whether anything is, is decided here.
 * why: to load Ajv and to compile three schemas took 55 of 840 ms of CPU of a start, in which mostly nothing is wrong
 */
import { createRequire } from 'node:module'
import type * as AjvPackage from 'ajv'

/** The keywords that are compared; a test checks that the schemas have no others. */
interface Keywords {
  readonly type?: 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object'
  readonly if?: { readonly type: 'string' }
  readonly else?: Keywords
  readonly minLength?: number
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: Keywords
  readonly minProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Keywords>>
  readonly additionalProperties?: Keywords | false
}

export function matchesSchema(schema: Keywords, value: unknown): boolean {
  if (schema.else !== undefined)
    return typeof value === 'string' || matchesSchema(schema.else, value)
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && matchesText(schema, value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return Number.isInteger(value) && isWithin(schema, value as number)
    case 'number':
      return Number.isFinite(value) && (value as number) > (schema.exclusiveMinimum ?? -Infinity)
    case 'array':
      return Array.isArray(value) && matchesList(schema, value)
    case 'object':
      return (
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        matchesObject(schema, value as Readonly<Record<string, unknown>>)
      )
    default:
      return false
  }
}

function isWithin({ minimum = -Infinity, maximum = Infinity }: Keywords, number: number): boolean {
  return number >= minimum && number <= maximum
}

function matchesText(
  { minLength = 0, pattern = '', enum: values }: Keywords,
  text: string,
): boolean {
  return (
    text.length >= minLength &&
    (pattern === '' || new RegExp(pattern, 'u').test(text)) &&
    (values === undefined || values.includes(text))
  )
}

/** Of texts. */
function matchesList(
  { minItems = 0, maxItems = Infinity, uniqueItems, items = {} }: Keywords,
  list: unknown[],
): boolean {
  return (
    list.length >= minItems &&
    list.length <= maxItems &&
    list.every(item => matchesSchema(items, item)) &&
    (uniqueItems !== true || new Set(list).size === list.length)
  )
}

function matchesObject(
  { required = [], properties = {}, additionalProperties = false, minProperties = 0 }: Keywords,
  object: Readonly<Record<string, unknown>>,
): boolean {
  const keys = Object.keys(object)
  return (
    keys.length >= minProperties &&
    required.every(key => Object.hasOwn(object, key)) &&
    keys.every(key => {
      const schema = Object.hasOwn(properties, key) ? properties[key]! : additionalProperties
      return schema !== false && matchesSchema(schema, object[key])
    })
  )
}

const require = createRequire(import.meta.url)
const validators = new WeakMap<object, AjvPackage.ValidateFunction>()

/** What Ajv finds; empty for a value that matches. */
export function schemaErrors(schema: object, value: unknown): readonly AjvPackage.ErrorObject[] {
  const { Ajv } = require('ajv') as typeof AjvPackage
  // why: validation compiles ajv's meta-schema, a tenth of a command's start time; a test validates our schemas
  const unchecked = { meta: false, validateSchema: false } as const
  const validate =
    validators.get(schema) ??
    new Ajv({ allErrors: true, verbose: true, ...unchecked }).compile(schema)
  validators.set(schema, validate)
  return validate(value) ? [] : (validate.errors ?? [])
}
