/** Content negotiation: the media type, content coding and language that a client prefers. Knows no bodies. */
import { CODINGS } from '../body/content-coding.ts'
import type { Coding } from '../body/content-coding.ts'

interface Range {
  readonly weight: number
  /** Position in the header. */
  readonly index: number
}

/**
 * The media type that `Accept` prefers: by weight, then by the most specific range, then by order. Parameters of
 * types are ignored.
 * @returns undefined if none is acceptable
 */
export function chooseMediaType(accept: string, offered: readonly string[]): string | undefined {
  if (accept === '') return offered[0]
  const ranges = new Map<string, Range>()
  for (const [index, { name, weight }] of parseWeightedList(accept).entries()) {
    const known = ranges.get(name)
    if (known === undefined || weight >= known.weight) ranges.set(name, { weight, index })
  }
  let best: { readonly type: string; readonly rank: readonly number[] } | undefined
  for (const type of offered) {
    const wider = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']
    const width = wider.findIndex(name => ranges.has(name))
    const range = ranges.get(wider[width] ?? '')
    if (range === undefined || range.weight === 0) continue
    const rank = [range.weight, -width, -range.index]
    if (best === undefined || isHigher(rank, best.rank)) best = { type, rank }
  }
  return best?.type
}

function isHigher(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((value, index) => value !== other[index])
  return at >= 0 && rank[at]! > other[at]!
}

/** Longer headers are ignored. */
const LONGEST_HEADER = 256

const ELEMENT = /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d*)?|1(?:\.0*)?)[ \t]*)?$/i

/**
 * The accepted content coding with the highest weight. `identity` if there is none, even if the header excludes it:
 * clients would only retry a 406.
 * @param codings available ones, best first, which decides between equal weights
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding
 */
export function chooseCoding(acceptEncoding = '', codings: readonly Coding[] = CODINGS): Coding {
  if (acceptEncoding.length > LONGEST_HEADER) return 'identity'
  const weights = codingWeights(acceptEncoding)
  // why: `*` is taken as gzip, which all clients can decode
  if (!weights.has('gzip')) weights.set('gzip', weights.get('*') ?? 0)
  let best: Coding = 'identity'
  let most = 0
  for (const coding of [...codings, 'identity'] as const) {
    const weight = weights.get(coding) ?? 0
    if (weight <= most) continue
    best = coding
    most = weight
  }
  return best
}

/** Invalid elements are ignored; of duplicates, the lower weight is used. */
function codingWeights(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const element of acceptEncoding.toLowerCase().split(',')) {
    const [, name, weight = '1'] = ELEMENT.exec(element) ?? []
    if (name === undefined) continue
    const coding = name === 'x-gzip' ? 'gzip' : name
    weights.set(coding, Math.min(weights.get(coding) ?? 1, Number(weight)))
  }
  return weights
}

export type Language = 'ru' | 'en'

/** English if it is preferred to Russian. Regions are ignored: `en-GB` is English. */
export function chooseLanguage(acceptLanguage: string): Language {
  const weights = new Map<string, number>()
  for (const { name, weight } of parseWeightedList(acceptLanguage)) {
    const hyphen = name.indexOf('-')
    const language = hyphen < 0 ? name : name.slice(0, hyphen)
    // why: the first of equal weights is used, and a Map preserves the order of insertion
    weights.set(language, Math.max(weights.get(language) ?? 0, weight))
  }
  const weightOf = (language: Language): number => weights.get(language) ?? weights.get('*') ?? 0
  const [ru, en] = [weightOf('ru'), weightOf('en')]
  if (en !== ru) return en > ru ? 'en' : 'ru'
  const first = [...weights.keys()].find(language => language === 'ru' || language === 'en')
  return en > 0 && first === 'en' ? 'en' : 'ru'
}

interface WeightedName {
  /** In lower case, without parameters. */
  readonly name: string
  /** 1 if missing, 0 if not a number. */
  readonly weight: number
}

/**
 * Elements in order, in linear time; empty ones are ignored.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-quality-values
 */
function parseWeightedList(header: string): WeightedName[] {
  const list: WeightedName[] = []
  for (const element of header.toLowerCase().split(',')) {
    const semicolon = element.indexOf(';')
    const name = (semicolon < 0 ? element : element.slice(0, semicolon)).trim()
    if (name === '') continue
    list.push({ name, weight: semicolon < 0 ? 1 : weightOf(element.slice(semicolon + 1)) })
  }
  return list
}

function weightOf(parameters: string): number {
  for (const parameter of parameters.split(';')) {
    const text = parameter.trim()
    if (!text.startsWith('q=')) continue
    const weight = Number.parseFloat(text.slice(2))
    return weight > 0 ? Math.min(weight, 1) : 0
  }
  return 1
}
