/** Reads front matter: YAML in the first comment, which opens with three dashes. Knows the line of every key. */
import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import type * as Yaml from 'yaml'
import { MAX_FINDINGS, type Finding } from './findings.ts'
import { nearest, suggest } from '../model/spelling.ts'
import { matchesSchema, schemaErrors } from './matter-schema.ts'
import { plainOffsetOf, readPlainYaml } from './plain-yaml.ts'
import type { Schema } from './schemas.ts'
import { lineAt } from './sql/text-positions.ts'

const OPENING = '/*---'
const CLOSING = '---*/'

/** why: the YAML parser compares each key with all others */
const MAX_KIB = 64

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
  const plain = readPlainYaml(yaml)
  if (plain !== undefined)
    return validated(plain.value, schema, path => lineAt(text, start + plainOffsetOf(plain, path)))
  const document = yamlParser().parseDocument(yaml, { prettyErrors: false })
  const lineOf = (path: MatterPath) => lineAt(text, start + offsetOf(document, path))
  const findings = yamlFindings(document, text, start)
  if (findings.length > 0) return { matter: undefined, findings, lineOf }
  try {
    return validated(document.toJS() ?? {}, schema, lineOf)
  } catch (error) {
    return unreadable(firstLine, `found what YAML cannot read: ${(error as Error).message}`)
  }
}

// why: with it, the start of the gateway takes an eighth longer
const require = createRequire(import.meta.url)
const yamlParser = () => require('yaml') as typeof Yaml

function validated<T>(matter: unknown, schema: Schema<T>, lineOf: Matter<T>['lineOf']): Matter<T> {
  if (matchesSchema(schema as object, matter)) return { matter: matter as T, findings: [], lineOf }
  const findings = schemaFindings(schemaErrors(schema, matter), lineOf)
  return { matter: undefined, findings, lineOf }
}

/** Duplicate keys, and the first syntax error: later ones mostly follow from it. */
function yamlFindings({ errors }: Yaml.Document, text: string, start: number): Finding[] {
  const first = errors.find(({ code }) => code !== 'DUPLICATE_KEY')
  return errors
    .filter(error => error === first || error.code === 'DUPLICATE_KEY')
    .map(({ code, message, pos: [offset] }) => {
      const at = start + offset
      const found =
        code === 'DUPLICATE_KEY'
          ? `key "${/^[^:\s]*/.exec(text.slice(at))?.[0]}" again, expected each key once`
          : code === 'TAB_AS_INDENT'
            ? 'a tab in YAML, expected spaces as indentation'
            : message.startsWith('Implicit')
              ? 'a line without a colon, expected "key: value"'
              : `YAML: ${message}; ${YAML_HINT}`
      return { line: lineAt(text, at), message: found }
    })
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

/** The offset in the document of the last existing key of the path. */
function offsetOf(document: Yaml.Document, path: MatterPath): number {
  const { isMap, isNode } = yamlParser()
  let node: unknown = document.contents
  let offset = 0
  for (const key of path) {
    const pair = isMap(node) ? node.items.find(item => String(item.key) === key) : undefined
    if (!isNode(pair?.key)) break
    offset = pair.key.range?.[0] ?? offset
    node = pair.value
  }
  return offset
}
