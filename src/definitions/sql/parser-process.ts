/** The process that runs PostgreSQL's parser. It reads only the SQL that is sent to it. */
import { hasSqlDetails, loadModule, parseSync } from './libpg-query.ts'
import type { ParsedSql, PlaceholderUse, SqlSource, SqlStatement, SqlToken } from './parsed-sql.ts'
import { findPlaceholders, withParameters } from './placeholder-scan.ts'
import { positionsIn, type TextPositions } from './text-positions.ts'
import { scanTokens } from './token-scan.ts'

type Range = Pick<SqlToken, 'start' | 'end'>

/** For one definition. */
const MAX_SQL_KIB = 256
const PREFIX = ' '
const EXPRESSION_PREFIX = 'select '

await loadModule()

/** False after an error in the parser itself, such as a stack overflow: its memory may be damaged. */
let isIntact = true

export interface ParserResponse {
  readonly parsed: ParsedSql
  readonly isIntact: boolean
}

process.on('message', (source: SqlSource) => {
  const parsed = parsedOf(source)
  process.send?.({ parsed, isIntact } satisfies ParserResponse)
})
// why: if the gateway is killed, the parser must end too
process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()

function parsedOf(source: SqlSource): ParsedSql {
  const { text, from = 0, placeholders: known, isExpression = false } = source
  const failed = (message: string, offset: number, isUnclosed = false): ParsedSql => {
    const error = { message, offset: Math.max(offset, from), isUnclosed }
    return { text, known, tokens: [], placeholders: [], statements: [], error }
  }
  const kibibytes = Math.ceil(Buffer.byteLength(text.slice(from)) / 1024)
  if (kibibytes > MAX_SQL_KIB) {
    return failed(`found ${kibibytes} KiB of SQL, expected at most ${MAX_SQL_KIB} KiB`, from)
  }
  // why: the parser ends at a NUL, so the rules would miss the rest
  const nul = text.indexOf('\0', from)
  if (nul !== -1) return failed('found a NUL byte, expected text without one', nul)

  // why: PostgreSQL omits a location of 0, so no token may begin there
  const prefix = isExpression ? EXPRESSION_PREFIX : PREFIX
  const sql = prefix + text.slice(from)
  const positions = positionsIn(sql)
  const shift = from - prefix.length
  const tokens = scanTokens(sql, positions)
  // why: if SQL cannot be tokenized, only the parser's message is used
  const placeholders = tokens === undefined ? guessPlaceholders(sql) : findPlaceholders(sql, tokens)
  const bound = withParameters(sql, placeholders)
  try {
    const { stmts = [] } = parseSync(bound)
    if (tokens === undefined) throw new Error('SQL that cannot be cut into tokens')
    const ranges = statementRanges(sql, tokens)
    const numbers = new Map(
      placeholders.map(({ name, start }) => [start + shift, known.indexOf(name) + 1]),
    )
    const statements = stmts.flatMap(({ stmt: tree }, at): SqlStatement[] => {
      const { start, end } = ranges[at] ?? { start: 0, end: 0 }
      if (tree === undefined) return []
      relocate(tree, { positions, shift, numbers })
      return [{ tree, start: Math.max(start + shift, from), end: end + shift }]
    })
    const moved = <T extends Range>(all: readonly T[]) =>
      all
        .map(range => ({ ...range, start: range.start + shift, end: range.end + shift }))
        // why: the first token of an expression is the prefix
        .filter(({ start }) => start >= from)
    return { text, known, tokens: moved(tokens), placeholders: moved(placeholders), statements }
  } catch (error) {
    isIntact &&= hasSqlDetails(error)
    if (error instanceof RangeError) {
      return failed('SQL that is nested too deeply, expected fewer levels', from)
    }
    const character = hasSqlDetails(error) ? error.sqlDetails?.cursorPosition : undefined
    if (character === undefined) return failed((error as Error).message, from, tokens === undefined)
    // why: with padded placeholders, only bytes are the same as in the source
    const before = bound.slice(0, positionsIn(bound).ofCharacter(character))
    const offset = positions.ofByte(Buffer.byteLength(before)) + shift
    return failed((error as Error).message, offset, tokens === undefined)
  }
}

function guessPlaceholders(sql: string): PlaceholderUse[] {
  return Array.from(sql.matchAll(/(?<![\w:]):([a-z_]+)/g), ({ 0: all, 1: name = '', index }) => ({
    name,
    start: index,
    end: index + all.length,
  }))
}

/** Statements as separated by semicolons, from first token to last. */
function statementRanges(sql: string, tokens: readonly SqlToken[]): Range[] {
  const ranges: Range[] = []
  let isOpen = false
  for (const { kind, start, end } of tokens) {
    if (kind === 'comment') continue
    if (sql[start] !== ';') ranges.push({ start: isOpen ? ranges.pop()!.start : start, end })
    isOpen = sql[start] !== ';'
  }
  return ranges
}

/**
 * Levels of nested objects and lists: this allows 330 to 500 nested calls, or about 700 operators. Node's stack can
 * deserialize less than twice as many levels; walking a tree allows more.
 */
const MAX_DEPTH = 1500

const LOCATION = /(?:^|_)location$|^(?:rexpr_)?list_(?:start|end)$/

interface Places {
  readonly positions: TextPositions
  readonly shift: number
  /** Of the placeholder at an offset, from 1; 0 if it is unknown, and has none in the tree. */
  readonly numbers: ReadonlyMap<number, number>
}

/**
 * Converts locations to offsets in the text, removes unknown ones, and numbers the placeholders.
 * @throws RangeError if the tree is too deep for its receiver
 */
function relocate(value: unknown, places: Places, depth = 0): void {
  if (value === null || typeof value !== 'object') return
  if (depth > MAX_DEPTH) throw new RangeError('too deep')
  const fields = value as Record<string, unknown>
  for (const [key, field] of Object.entries(fields)) {
    if (typeof field !== 'number' || !LOCATION.test(key)) relocate(field, places, depth + 1)
    else if (field < 0) delete fields[key]
    else fields[key] = places.positions.ofByte(field) + places.shift
  }
  const { ParamRef: parameter } = fields as { ParamRef?: { number?: number; location?: number } }
  // why: an author's own `$2` is no placeholder, and a finding
  const number = places.numbers.get(parameter?.location ?? -1)
  if (parameter === undefined || number === undefined) return
  if (number > 0) parameter.number = number
  else delete parameter.number
}
