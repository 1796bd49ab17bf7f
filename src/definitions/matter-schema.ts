/**
 * Compares front matter with a JSON schema of `schemas.ts`. Ajv finds what is wrong; whether anything is, is decided here.
 * why: to load Ajv and to compile three schemas took 55 of 840 ms of CPU of a start, in which mostly nothing is wrong
 */
import { createRequire } from 'node:module'
import type * as AjvPackage from 'ajv'

type Type = 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object'

/** The keywords that are compared; a test checks that the schemas have no others. */
interface Keywords {
  readonly type?: Type | readonly Type[]
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
  const { type, pattern = '', enum: values, items = {}, uniqueItems = false } = schema
  const { required = [], properties = {}, additionalProperties = false } = schema
  if (schema.else !== undefined)
    return typeof value === 'string' || matchesSchema(schema.else, value)
  const isOf = (one: Type): boolean => type === one || type?.includes(one) === true
  if (typeof value === 'boolean') return isOf('boolean')
  if (typeof value === 'number') {
    const isOfType = type === 'integer' ? Number.isInteger(value) : isOf('number')
    const { minimum, maximum, exclusiveMinimum = -Infinity } = schema
    return isOfType && value > exclusiveMinimum && isWithin(value, minimum, maximum)
  }
  if (typeof value === 'string')
    return (
      isOf('string') &&
      isWithin(value.length, schema.minLength) &&
      (pattern === '' || new RegExp(pattern, 'u').test(value)) &&
      values?.includes(value) !== false
    )
  if (Array.isArray(value))
    return (
      type === 'array' &&
      isWithin(value.length, schema.minItems, schema.maxItems) &&
      value.every(item => matchesSchema(items, item)) &&
      // why: all items are texts
      (!uniqueItems || new Set(value).size === value.length)
    )
  if (type !== 'object' || typeof value !== 'object' || value === null) return false
  const members = Object.entries(value)
  return (
    isWithin(members.length, schema.minProperties) &&
    required.every(key => Object.hasOwn(value, key)) &&
    members.every(([key, member]) => {
      const known = Object.hasOwn(properties, key) ? properties[key]! : additionalProperties
      return known !== false && matchesSchema(known, member)
    })
  )
}

/** Also excludes NaN and numbers that are infinite. */
function isWithin(number: number, least = -Number.MAX_VALUE, most = Number.MAX_VALUE): boolean {
  return number >= least && number <= most
}

const require = createRequire(import.meta.url)
const validators = new WeakMap<object, AjvPackage.ValidateFunction>()

/** What Ajv finds; empty for a value that matches. */
export function schemaErrors(schema: object, value: unknown): readonly AjvPackage.ErrorObject[] {
  const { Ajv } = require('ajv') as typeof AjvPackage
  // why: validation compiles ajv's meta-schema, a tenth of a command's start time; a test validates our schemas
  const unchecked = { meta: false, validateSchema: false, allowUnionTypes: true } as const
  const validate =
    validators.get(schema) ??
    new Ajv({ allErrors: true, verbose: true, ...unchecked }).compile(schema)
  validators.set(schema, validate)
  return validate(value) ? [] : (validate.errors ?? [])
}
