/** Parses the text of a setting: numbers in base units, booleans. Knows no names and no bounds. */
import type { OrganizationBudget } from '../model/terms.ts'
import { splitUrls } from './addresses.ts'
import type { Setting } from './setting.ts'

type Value = string | number | boolean | readonly string[] | OrganizationBudget

const DURATION_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

const BYTES: Readonly<Record<string, number>> = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
}

const PARSERS: Readonly<Record<Setting['kind'], (text: string) => Value>> = {
  url: text => text,
  urls: splitUrls,
  path: text => text,
  host: text => text,
  port: parseInteger,
  integer: parseInteger,
  bytes: text => parseQuantity(text, BYTES, 1),
  duration: text => parseQuantity(text, DURATION_MS, 1000),
  boolean: parseBoolean,
  enum: text => text.toLowerCase(),
  budget: parseBudget,
}

/**
 * The duration `5s` is 5000, the bytes `8MiB` are 8388608, a bare number is seconds or bytes.
 * Invalid text is returned unchanged, and the schema rejects it.
 */
export function parseValue(kind: Setting['kind'], text: string): Value {
  return PARSERS[kind](text)
}

function parseInteger(text: string): Value {
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

function parseBoolean(text: string): Value {
  if (/^(?:true|1|yes)$/i.test(text)) return true
  if (/^(?:false|0|no)$/i.test(text)) return false
  return text
}

function parseBudget(text: string): Value {
  const [execution = '', window = '', ...rest] = text.split('/')
  const executionMs = parseQuantity(execution.trim(), DURATION_MS, 1000)
  const windowMs = parseQuantity(window.trim(), DURATION_MS, 1000)
  if (rest.length > 0 || typeof executionMs !== 'number' || typeof windowMs !== 'number')
    return text
  return { executionMs, windowMs }
}

function parseQuantity(
  text: string,
  units: Readonly<Record<string, number>>,
  bareUnit: number,
): Value {
  const match = /^(\d{1,15}(?:\.\d{1,3})?)([A-Za-z]*)$/.exec(text)
  if (match === null) return text
  const [, amount = '', unit = ''] = match
  const factor = unit === '' ? bareUnit : units[unit]
  // why: `typeof`, since `units` inherits `constructor`
  if (typeof factor !== 'number') return text
  // why: there are at most three decimals, so rounding removes only errors of binary fractions
  const quantity = Math.round(Number(amount) * factor * 1000) / 1000
  return Number.isSafeInteger(quantity) ? quantity : text
}
