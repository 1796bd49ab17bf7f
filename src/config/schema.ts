/** The JSON schema of the settings for ajv, made from their table, and the expected value of each in words. */
import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import { Ajv } from 'ajv'
import type { SchemaObject, ValidateFunction } from 'ajv'
import { isPostgresUrl } from './addresses.ts'
import type { Setting } from './setting.ts'

/** Compiles the validation of parsed values, by property; valid values have the type `Parsed`. */
export function compileSettings<Parsed>(
  settings: Readonly<Record<string, Setting>>,
): ValidateFunction<Parsed> {
  // why: as in `matterSchema`
  const ajv = new Ajv({ allErrors: true, meta: false, validateSchema: false })
  ajv.addFormat('postgres-url', isPostgresUrl)
  ajv.addFormat('host', isHost)
  ajv.addFormat('folder', isFolder)
  return ajv.compile<Parsed>(settingsSchema(settings))
}

/** Schema of parsed values. */
export function settingsSchema(settings: Readonly<Record<string, Setting>>): SchemaObject {
  const entries = Object.entries(settings)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, setting]) => [key, schemaOf(setting)])),
    required: entries.filter(([, setting]) => setting.required === true).map(([key]) => key),
    additionalProperties: false,
  }
}

const DAY_MS = 86_400_000

const SCHEMAS: Readonly<Record<Setting['kind'], SchemaObject>> = {
  url: { type: 'string', format: 'postgres-url' },
  urls: { type: 'array', items: { type: 'string', format: 'postgres-url' } },
  path: { type: 'string', format: 'folder' },
  host: { type: 'string', format: 'host' },
  port: { type: 'integer', minimum: 0, maximum: 65_535 },
  integer: { type: 'integer' },
  bytes: { type: 'integer' },
  duration: { type: 'integer' },
  boolean: { type: 'boolean' },
  enum: { type: 'string' },
  budget: {
    type: 'object',
    properties: {
      executionMs: { type: 'integer', minimum: 1000, maximum: DAY_MS },
      windowMs: { type: 'integer', minimum: 1000, maximum: DAY_MS },
    },
  },
}

const DESCRIPTIONS: Readonly<Record<Setting['kind'], string>> = {
  url: 'a URL such as postgres://user:password@host:5432/database, with special characters percent-encoded',
  urls: 'URLs such as postgres://user:password@host:5432/database, separated by commas, with special characters percent-encoded',
  path: 'a folder that exists',
  host: 'an IP address or a host name, without a port',
  port: 'a port from 0 to 65535; 0 takes any free one',
  integer: 'a whole number',
  bytes: 'bytes such as 500000, 64KiB, 256MiB or 1GiB',
  duration: 'a duration such as 500ms, 5s, 10m or 1h',
  boolean: 'true, false, 1, 0, yes or no',
  enum: 'one of',
  budget: 'execution time and a window such as 30s/1m, each from 1s to 24h',
}

function schemaOf(setting: Setting): SchemaObject {
  const schema = SCHEMAS[setting.kind]
  if ('values' in setting) return { ...schema, enum: setting.values }
  if ('minimum' in setting) {
    return { ...schema, minimum: setting.minimum, maximum: setting.maximum }
  }
  return schema
}

/** The expected value of a setting, for messages: `expected ...`. */
export function expectation(setting: Setting): string {
  const description = DESCRIPTIONS[setting.kind]
  if ('values' in setting) return `${description} ${setting.values.join(', ')}`
  if (!('minimum' in setting)) return description
  const { kind, minimum, maximum } = setting
  return `${description}, from ${inUnits(kind, minimum)} to ${inUnits(kind, maximum)}`
}

const UNITS: Readonly<Record<string, ReadonlyArray<readonly [string, number]>>> = {
  duration: [
    ['h', 3_600_000],
    ['s', 1000],
    ['ms', 1],
  ],
  bytes: [
    ['GiB', 2 ** 30],
    ['KiB', 2 ** 10],
  ],
}

function inUnits(kind: Setting['kind'], value: number): string {
  const [unit, size] = UNITS[kind]?.find(([, size]) => value > 0 && value % size === 0) ?? ['', 1]
  return `${value / size}${unit}`
}

function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true
  if (/^[\d.]+$/.test(text)) return false
  return text.length <= 253 && text.split('.').every(label => /^[\w-]{1,63}$/.test(label))
}

function isFolder(text: string): boolean {
  try {
    return statSync(text).isDirectory()
  } catch {
    return false
  }
}
