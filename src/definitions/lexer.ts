/**
 * Cuts SQL into tokens, as far as finding placeholders and refused constructs needs. It is no parser.
 * @see https://www.postgresql.org/docs/current/sql-syntax-lexical.html
 */
import { endOfEscapeString } from './escape-string.ts'

export type TokenKind =
  | 'word' // select, organization_id
  | 'quoted' // "Order", U&"..."
  | 'string' // 'x', E'x', B'1', U&'x'
  | 'dollar' // $$x$$, $tag$x$tag$
  | 'number'
  | 'operator' // one of , ( ) [ ] ; . : or :: or := or a run of operator characters
  | 'comment' // -- x, /* x /* nested */ */
  | 'placeholder' // :name
  | 'parameter' // $1
  | 'unclosed' // a comment, a string or a quoted identifier without its end

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** Offset of the first character in the text that was given. */
  readonly start: number
  /** Offset after the last character. */
  readonly end: number
  /** From 1. */
  readonly line: number
}

const IDENTIFIER = '[A-Za-z_\\u0080-\\uffff][A-Za-z0-9_\\u0080-\\uffff]*'
const BLANK = /[ \t\n\r\f\v]+/y

/** Each begins a token of its kind; the first that fits wins. A pattern may be an opening alone. */
const SHAPES: ReadonlyArray<
  readonly [TokenKind, RegExp, close?: (text: string, at: number) => number]
> = [
  ['comment', /--[^\n\r]*/y],
  ['comment', /\/\*/y, endOfBlockComment],
  ['string', /[eE]'/y, endOfEscapeString],
  ['string', /(?:[bBxXnN]|[uU]&)?'/y, (text, at) => endOfQuoted(text, at, "'")],
  ['quoted', /(?:[uU]&)?"/y, (text, at) => endOfQuoted(text, at, '"')],
  ['dollar', new RegExp(`\\$(?:${IDENTIFIER})?\\$`, 'y'), endOfDollarString],
  ['parameter', /\$\d+/y],
  ['word', new RegExp(`${IDENTIFIER.slice(0, -2)}$]*`, 'y')],
  ['number', /0[xXoObB][0-9A-Fa-f_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y],
  ['operator', /::|:=/y],
  ['placeholder', new RegExp(`:${IDENTIFIER}`, 'y')],
  ['operator', /(?:(?!--|\/\*)[-+*/<>=~!@#%^&|`?])+/y],
  ['operator', /[^]/y],
]

/**
 * The tokens of SQL in order, comments included; only blanks lie between them.
 * @param from offset to begin at, for SQL that follows front matter
 * @param line line number of the first character of `text`
 */
export function lex(text: string, from = 0, line = 1): Token[] {
  const tokens: Token[] = []
  const brackets: Array<'(' | 'slice' | 'array'> = []
  let counted = 0
  let before: Token | undefined
  for (let at = skipBlank(text, from); at < text.length; at = skipBlank(text, at)) {
    for (; counted < at; counted++) if (text[counted] === '\n') line++
    const inSlice = brackets.at(-1) === 'slice'
    const token = tokenAt(text, at, line, inSlice || isGlued(before, at))
    tokens.push(token)
    at = token.end
    if (token.kind === 'comment') continue
    if (token.text === '(') brackets.push('(')
    else if (token.text === '[') {
      const nested = brackets.at(-1) === 'array' && (before?.text === '[' || before?.text === ',')
      const isArray = nested || (before !== undefined && isWord(before, 'array'))
      brackets.push(isArray ? 'array' : 'slice')
    } else if (token.text === ')' || token.text === ']') brackets.pop()
    before = token
  }
  return tokens
}

/** Whether the token is one of these unquoted words, in any case. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase())
}

/** Tokens without comments. */
export function significant(tokens: readonly Token[]): Token[] {
  return tokens.filter(token => token.kind !== 'comment')
}

/**
 * A colon right behind one of these begins no placeholder: outside of brackets no SQL has it there,
 * so it is a slip that deserves a message rather than a binding.
 */
function isGlued(before: Token | undefined, at: number): boolean {
  if (before === undefined || before.end !== at) return false
  return before.kind !== 'operator' || [')', ']', ':', '::'].includes(before.text)
}

function tokenAt(text: string, at: number, line: number, noPlaceholder: boolean): Token {
  for (const [kind, shape, close] of SHAPES) {
    if (kind === 'placeholder' && noPlaceholder) continue
    shape.lastIndex = at
    if (!shape.test(text)) continue
    const end = close === undefined ? shape.lastIndex : close(text, at)
    if (end === -1) {
      return { kind: 'unclosed', text: text.slice(at), start: at, end: text.length, line }
    }
    return { kind, text: text.slice(at, end), start: at, end, line }
  }
  throw new Error('unreachable: the last shape takes any character')
}

function skipBlank(text: string, at: number): number {
  BLANK.lastIndex = at
  return BLANK.test(text) ? BLANK.lastIndex : at
}

function endOfBlockComment(text: string, at: number): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = at
  let depth = 0
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  return -1
}

function endOfQuoted(text: string, at: number, quote: string): number {
  const opening = text.indexOf(quote, at)
  for (let end = text.indexOf(quote, opening + 1); end !== -1;) {
    if (text[end + 1] !== quote) return end + 1
    end = text.indexOf(quote, end + 2)
  }
  return -1
}

function endOfDollarString(text: string, at: number): number {
  const tag = text.slice(at, text.indexOf('$', at + 1) + 1)
  const end = text.indexOf(tag, at + tag.length)
  return end === -1 ? -1 : end + tag.length
}
