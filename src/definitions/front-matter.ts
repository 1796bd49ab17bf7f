/** Reads front matter: YAML in the first comment, which opens with three dashes. Knows the line of every key. */
import type { ErrorObject } from 'ajv'
import {
  constructFromEvents,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  YAMLException,
  type Event,
} from 'js-yaml'
import { MAX_FINDINGS, type Finding } from './findings.ts'
import { nearest, suggest } from '../model/spelling.ts'
import { matchesSchema, schemaErrors } from './matter-schema.ts'
import type { Schema } from './schemas.ts'
import { lineAt } from './sql/text-positions.ts'

const OPENING = '/*---'
const CLOSING = '---*/'

const MAX_KIB = 64
const MAX_DEPTH = 20
/** why: each may double what is validated */
const MAX_ALIASES = 10

/** A path in front matter: keys from the outermost. */
export type MatterPath = readonly string[]

export interface Matter<T> {
  /** Undefined if it does not match the schema; `findings` has the reasons. */
  readonly matter: T | undefined
  readonly findings: readonly Finding[]
  /** The line of a key in the file, or of the innermost existing key that contains it. */
  readonly lineOf: (path: MatterPath) => number
}

export interface FrontMatter<T> extends Matter<T> {
  /** Offset in the file at which the SQL begins. */
  readonly sqlStart: number
}

/** @param text of the whole file */
export function readFrontMatter<T>(text: string, schema: Schema<T>): FrontMatter<T> {
  const opening = /^\s*/.exec(text)?.[0].length ?? 0
  const firstLine = lineAt(text, opening)
  if (!text.startsWith(OPENING, opening)) {
    const message = `no front matter, expected the file to begin with ${OPENING}`
    return { ...unreadable(firstLine, message), sqlStart: opening }
  }
  const start = opening + OPENING.length
  const end = text.indexOf(CLOSING, start)
  if (end === -1) {
    const message = `front matter is not closed, expected ${CLOSING} after it`
    return { ...unreadable(firstLine, message), sqlStart: text.length }
  }
  return { ...readYaml(text, start, end, schema), sqlStart: end + CLOSING.length }
}

function unreadable(line: number, message: string): Matter<never> {
  return { matter: undefined, findings: [{ line, message }], lineOf: () => line }
}

/** Reads the YAML between two offsets. */
export function readYaml<T>(
  text: string,
  start: number,
  end: number,
  schema: Schema<T>,
): Matter<T> {
  const firstLine = lineAt(text, start)
  const yaml = text.slice(start, end)
  const kibibytes = Math.ceil(Buffer.byteLength(yaml) / 1024)
  if (kibibytes > MAX_KIB)
    return unreadable(firstLine, `found ${kibibytes} KiB of YAML, expected at most ${MAX_KIB} KiB`)
  let events: Event[]
  let values: readonly unknown[]
  try {
    events = parseEvents(yaml, { maxDepth: MAX_DEPTH })
    values = constructFromEvents(events, { source: yaml, maxAliases: MAX_ALIASES })
  } catch (error) {
    if (error instanceof YAMLException) return unreadable(...yamlFault(error, text, start))
    return unreadable(firstLine, `found what YAML cannot read: ${(error as Error).message}`)
  }
  const offsets = keyOffsets(yaml, events)
  const lineOf = (path: MatterPath) => lineAt(text, start + offsetOf(offsets, path))
  const [matter, second] = [values[0] ?? {}, values[1]]
  if (second !== undefined) return unreadable(firstLine, 'found ---, expected one YAML document')
  return validated(matter, schema, lineOf)
}

function validated<T>(matter: unknown, schema: Schema<T>, lineOf: Matter<T>['lineOf']): Matter<T> {
  if (matchesSchema(schema as object, matter)) return { matter: matter as T, findings: [], lineOf }
  const findings = schemaFindings(schemaErrors(schema, matter), lineOf)
  return { matter: undefined, findings, lineOf }
}

function yamlFault(
  { reason, mark }: YAMLException,
  text: string,
  start: number,
): [line: number, message: string] {
  const at = start + (mark?.position ?? 0)
  const line = lineAt(text, at)
  if (reason.startsWith('duplicated'))
    return [line, `key "${/^[^:\s]*/.exec(text.slice(at))?.[0]}" again, expected each key once`]
  if (reason.startsWith('tab')) return [line, 'a tab in YAML, expected spaces as indentation']
  if (reason.startsWith('deficient'))
    return [line, 'a value that is still open, expected it indented, or closed above']
  // why: it is found where the next line has the colon
  const isAbove = reason.includes('multiline key')
  if (isAbove || reason.startsWith("expected ':'"))
    return [isAbove ? line - 1 : line, 'a line without a colon, expected "key: value"']
  return [line, `YAML: ${reason}; ${YAML_HINT}`]
}

const YAML_HINT =
  'expected quotes around a text that holds ": " or " #" or begins with one of {[&*!|>%@`'
const COMMA_HINT = '; a text with a comma needs quotes inside of { }'
const BRACE_HINT = '; a text that begins with { needs quotes'

function schemaFindings(
  errors: readonly ErrorObject[],
  lineOf: (path: MatterPath) => number,
): Finding[] {
  // why: finding the line of a key takes time in proportion to the number of keys
  const some = errors.slice(0, MAX_FINDINGS + 1)
  return some.flatMap(({ keyword, instancePath, params, parentSchema, data }) => {
    // why: what the branch requires is an error of its own
    if (keyword === 'if') return []
    const path = instancePath.split('/').slice(1)
    const { properties = {}, type } = parentSchema ?? {}
    const known = Object.keys(properties)
    const where = path
      .map(key => `${key}.`)
      .join('')
      .replace(/\.$/, ': ')
    const find = (message: string, line = lineOf(path)) => [{ line, message: where + message }]
    if (keyword === 'additionalProperties') {
      const key = String(params['additionalProperty'])
      const hint = Object(data)[key] === null ? COMMA_HINT : ''
      return find(`unknown key "${key}", ${suggest(key, known)}${hint}`, lineOf([...path, key]))
    }
    if (keyword === 'required') {
      const key = String(params['missingProperty'])
      // why: a misspelt key is reported once, as the misspelling
      const isMisspelling = (other: string) =>
        !known.includes(other) && nearest(other, known) === key
      if (Object.keys(Object(data)).some(isMisspelling)) return []
      return find(`no key "${key}", expected ${properties[key].description}`)
    }
    const found = `found ${show(data)}, expected ${parentSchema?.['description']}`
    const likely = keyword === 'enum' && nearest(String(data), params['allowedValues'])
    if (likely) return find(`${found}; did you mean "${likely}"?`)
    const isBrace = type === 'string' && data !== null && typeof data === 'object'
    return find(found + (isBrace ? BRACE_HINT : ''))
  })
}

function show(data: unknown): string {
  if (data === null) return 'nothing'
  if (Array.isArray(data)) return 'a list'
  if (typeof data === 'object') return 'keys and values'
  return JSON.stringify(data)
}

/** Of keys, by path. */
function keyOffsets(yaml: string, events: readonly Event[]): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>()
  /** Open collections; in a map, the path of the value that follows. */
  const open: Array<{ path: string; isMap: boolean; next?: string | undefined }> = []
  for (const event of events) {
    const outer = open.at(-1)
    if (event.type === EVENT_ID.POP) {
      open.pop()
    } else if (outer?.isMap === true && outer.next === undefined) {
      const isText = event.type === EVENT_ID.SCALAR
      outer.next = `${outer.path}\0${isText ? getScalarValue(yaml, event) : ''}`
      if (isText) offsets.set(outer.next, event.valueStart)
    } else {
      const path = outer?.next ?? ''
      if (outer !== undefined) outer.next = undefined
      const isMap = event.type === EVENT_ID.MAPPING
      if (isMap || event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.DOCUMENT)
        open.push({ path, isMap })
    }
  }
  return offsets
}

/** The offset of the last existing key of the path. */
function offsetOf(offsets: ReadonlyMap<string, number>, path: MatterPath): number {
  const keys = path.map((_, at) => ['', ...path.slice(0, at + 1)].join('\0'))
  return offsets.get(keys.findLast(key => offsets.has(key)) ?? '') ?? 0
}
