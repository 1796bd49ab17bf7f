/** Kinds of settings: how the text of each is parsed, and its expected value in words. */
import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import { DURATION_UNITS, parseQuantity, SIZE_UNITS, type Units } from '../model/quantity.ts'
import { isPostgresUrl, splitUrls } from './addresses.ts'
import type { Setting } from './setting.ts'

type Value = string | number | boolean | readonly string[]

interface Kind {
  /** Undefined for invalid text. */
  readonly parse: (text: string) => Value | undefined
  readonly expected: string
  /** Of its bounds. */
  readonly units?: Units
}

const KINDS: Readonly<Record<Setting['kind'], Kind>> = {
  urls: {
    parse: text => (splitUrls(text).every(isPostgresUrl) ? splitUrls(text) : undefined),
    expected:
      'URLs such as postgres://user:password@host:5432/database, separated by commas, with special characters percent-encoded',
  },
  path: { parse: text => (isFolder(text) ? text : undefined), expected: 'a folder that exists' },
  host: {
    parse: text => (isHost(text) ? text : undefined),
    expected: 'an IP address or a host name, without a port',
  },
  networks: {
    parse: text => listOf(text, isNetwork),
    expected: 'IP addresses or networks such as 127.0.0.1,10.0.0.0/8, separated by commas',
  },
  origins: {
    parse: text => listOf(text, isOrigin),
    expected: 'origins such as https://bi.example.com, separated by commas, without a path',
  },
  port: {
    parse: text => within(parseInteger(text), 0, 65_535),
    expected: 'a port from 0 to 65535; 0 takes any free one',
  },
  integer: { parse: parseInteger, expected: 'a whole number' },
  bytes: {
    parse: text => parseQuantity(text, SIZE_UNITS, 1),
    expected: 'bytes such as 500000, 64KiB, 256MiB or 1GiB',
    units: SIZE_UNITS,
  },
  duration: {
    parse: parseDuration,
    expected: 'a duration such as 500ms, 5s, 10m or 1h',
    units: DURATION_UNITS,
  },
  boolean: { parse: parseBoolean, expected: 'true, false, 1, 0, yes or no' },
  enum: { parse: text => text.toLowerCase(), expected: 'one of' },
}

/**
 * The duration `5s` is 5000, the bytes `8MiB` are 8388608, a bare number is seconds or bytes.
 * @returns undefined for invalid text
 */
export function parseSetting(setting: Setting, text: string): Value | undefined {
  const value = KINDS[setting.kind].parse(text)
  if ('values' in setting) return setting.values.find(each => each === value)
  if (!('minimum' in setting)) return value
  return within(value, setting.minimum, setting.maximum)
}

/** The expected value of a setting, for messages: `expected ...`. */
export function expectation(setting: Setting): string {
  const { expected, units = {} } = KINDS[setting.kind]
  if ('values' in setting) return `${expected} ${setting.values.join(', ')}`
  if (!('minimum' in setting)) return expected
  return `${expected}, from ${inUnits(setting.minimum, units)} to ${inUnits(setting.maximum, units)}`
}

function inUnits(value: number, units: Units): string {
  const all = Object.entries(units).toReversed()
  const [unit, size] = all.find(([, each]) => value > 0 && value % each === 0) ?? ['', 1]
  return `${value / size}${unit}`
}

function within(value: Value | undefined, minimum: number, maximum: number): number | undefined {
  const isWithin = typeof value === 'number' && value >= minimum && value <= maximum
  return isWithin ? value : undefined
}

function parseInteger(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function parseDuration(text: string): number | undefined {
  return parseQuantity(text, DURATION_UNITS, 1000)
}

function parseBoolean(text: string): boolean | undefined {
  if (/^(?:true|1|yes)$/i.test(text)) return true
  return /^(?:false|0|no)$/i.test(text) ? false : undefined
}

function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true
  if (/^[\d.]+$/.test(text)) return false
  return text.length <= 253 && text.split('.').every(label => /^[\w-]{1,63}$/.test(label))
}

function listOf(text: string, isValid: (part: string) => boolean): string[] | undefined {
  const parts = text.split(',').map(part => part.trim())
  return parts.every(isValid) ? parts : undefined
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  const length = bits === undefined ? longest : (parseInteger(bits) ?? Infinity)
  return longest > 0 && length <= longest && rest.length === 0
}

function isFolder(text: string): boolean {
  try {
    return statSync(text).isDirectory()
  } catch {
    return false
  }
}
