/** Reads the YAML in a first comment that opens with three dashes, and knows the line of every key. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml'
import type { Finding } from './findings.ts'
import { nearest, suggest } from './spelling.ts'

const OPENING = '/*---'
const CLOSING = '---*/'

/** Where in the front matter: keys from the outermost, an index in a list. */
export type MatterPath = ReadonlyArray<string | number>

export interface FrontMatter<T> {
  /** Undefined where it is not what the schema says; the findings say why. */
  readonly matter: T | undefined
  readonly findings: readonly Finding[]
  /** The line of the file on which a key, or the nearest one around it, stands. */
  readonly lineOf: (path: MatterPath) => number
  /** Offset in the file at which the SQL begins. */
  readonly sqlStart: number
}

/** A check for `readFrontMatter`, from a JSON schema that says what `T` says. */
export function matterSchema<T>(schema: object): ValidateFunction<T> {
  // why: ajv would compile its meta-schema for it, a tenth of a command's start; a test checks ours
  const unchecked = { meta: false, validateSchema: false } as const
  return new Ajv({ allErrors: true, verbose: true, ...unchecked }).compile<T>(schema)
}

/** Reads and checks the front matter of a whole file. */
export function readFrontMatter<T>(text: string, validate: ValidateFunction<T>): FrontMatter<T> {
  const opening = /^\s*/.exec(text)?.[0].length ?? 0
  const firstLine = lineAt(text, opening)
  const nothing = (message: string, sqlStart: number): FrontMatter<T> => ({
    matter: undefined,
    findings: [{ line: firstLine, message }],
    lineOf: () => firstLine,
    sqlStart,
  })
  if (!text.startsWith(OPENING, opening)) {
    return nothing(`no front matter, expected the file to begin with ${OPENING}`, opening)
  }
  const start = opening + OPENING.length
  const end = text.indexOf(CLOSING, start)
  if (end === -1) {
    return nothing(`front matter without its end, expected ${CLOSING} behind it`, text.length)
  }

  const counter = new LineCounter()
  const document = parseDocument(text.slice(start, end), {
    lineCounter: counter,
    prettyErrors: false,
  })
  const lineAtOffset = (offset: number) => counter.linePos(offset).line + firstLine - 1
  const lineOf = (path: MatterPath) => {
    const offset = offsetOf(document, path)
    return offset === undefined ? firstLine : lineAtOffset(offset)
  }
  const findings: Finding[] = yamlFindings(document, text.slice(start, end), lineAtOffset)
  const broken = document.errors.some(error => error.code !== 'DUPLICATE_KEY')
  let matter: T | undefined
  if (!broken) {
    const value: unknown = toValue(document, message => findings.push({ line: firstLine, message }))
    if (validate(value)) matter = value
    else findings.push(...schemaFindings(validate.errors ?? [], lineOf))
  }
  return {
    matter: findings.length === 0 ? matter : undefined,
    findings,
    lineOf,
    sqlStart: end + CLOSING.length,
  }
}

function toValue(document: Document, complain: (message: string) => void): unknown {
  try {
    return document.toJS() ?? {}
  } catch (error) {
    complain(`front matter that YAML cannot read: ${error instanceof Error ? error.message : ''}`)
    return {}
  }
}

function yamlFindings(
  document: Document,
  source: string,
  lineAtOffset: (offset: number) => number,
): Finding[] {
  const findings: Finding[] = []
  let broken = false
  for (const { code, message, pos } of document.errors) {
    const line = lineAtOffset(pos[0])
    if (code === 'DUPLICATE_KEY') {
      const key = /^[^:\s]*/.exec(source.slice(pos[0]))?.[0]
      findings.push({ line, message: `key "${key}" again, expected each key once` })
      continue
    }
    // What follows the first error of syntax is mostly its echo.
    if (broken) continue
    broken = true
    const text =
      code === 'TAB_AS_INDENT'
        ? 'a tab in YAML, expected blanks as indentation'
        : `YAML: ${lowerFirst(message)}; expected quotes around a text that holds ": " or " #" or begins with one of {[&*!|>%@`
    findings.push({ line, message: text })
  }
  return findings
}

function schemaFindings(
  errors: readonly ErrorObject[],
  lineOf: (path: MatterPath) => number,
): Finding[] {
  return withoutEchoes(errors).map(error => {
    const path = error.instancePath
      .split('/')
      .slice(1)
      .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const { parentSchema, params, data } = error
    const where = path.length === 0 ? '' : `${path.join('.')}: `
    if (error.keyword === 'additionalProperties') {
      const key = String(params['additionalProperty'])
      const known = Object.keys(Object(parentSchema?.['properties']))
      const quotes = Object(data)[key] === null ? COMMA_HINT : ''
      const message = `${where}unknown key "${key}", ${suggest(key, known)}${quotes}`
      return { line: lineOf([...path, key]), message }
    }
    if (error.keyword === 'required') {
      const key = String(params['missingProperty'])
      const expected = describe(Object(parentSchema?.['properties'])[key])
      return { line: lineOf(path), message: `${where}no key "${key}", expected ${expected}` }
    }
    const isMap = data !== null && typeof data === 'object' && error.keyword === 'type'
    const quotes = isMap && parentSchema?.['type'] === 'string' ? BRACE_HINT : ''
    const message = `${where}found ${show(data)}, expected ${describe(parentSchema)}${quotes}`
    if (error.keyword === 'enum') {
      const likely = suggest(String(data), params['allowedValues'])
      return {
        line: lineOf(path),
        message: likely.startsWith('did') ? `${message}; ${likely}` : message,
      }
    }
    return { line: lineOf(path), message }
  })
}

/** A key that is missing because its name is misspelt beside: the misspelling is what is said. */
function withoutEchoes(errors: readonly ErrorObject[]): ErrorObject[] {
  const misspelt = new Set(
    errors.flatMap(({ keyword, instancePath, params, parentSchema }) => {
      if (keyword !== 'additionalProperties') return []
      const known = Object.keys(Object(parentSchema?.['properties']))
      return [`${instancePath}/${nearest(String(params['additionalProperty']), known)}`]
    }),
  )
  return errors.filter(
    ({ keyword, instancePath, params }) =>
      keyword !== 'required' || !misspelt.has(`${instancePath}/${params['missingProperty']}`),
  )
}

const COMMA_HINT = '; a text with a comma needs quotes inside of { }'
const BRACE_HINT = '; a text that begins with { needs quotes'

function describe(schema: unknown): string {
  return String(Object(schema).description ?? 'something else')
}

function show(data: unknown): string {
  if (data === null) return 'nothing'
  if (Array.isArray(data)) return data.length === 0 ? 'an empty list' : 'a list'
  if (typeof data === 'object') return 'keys and values'
  return JSON.stringify(data)
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/** Where the last key of the path that exists stands. */
function offsetOf(document: Document, path: MatterPath): number | undefined {
  let offset: number | undefined
  for (let depth = 1; depth <= path.length; depth++) {
    const parent = document.getIn(path.slice(0, depth - 1), true)
    const last = path[depth - 1]
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last))
      : undefined
    const node = pair === undefined ? document.getIn(path.slice(0, depth), true) : pair.key
    const start = isNode(node) ? node.range?.[0] : undefined
    if (start === undefined) break
    offset = start
  }
  return offset
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
