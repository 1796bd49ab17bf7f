/** The output of PostgreSQL's parser. All offsets are UTF-16 units of the source text. */
import type { Node } from 'libpg-query'

export type TokenKind = 'comment' | 'name' | 'keyword' | 'string' | 'number' | 'parameter' | 'sign'

export interface SqlToken {
  readonly kind: TokenKind
  readonly start: number
  readonly end: number
}

/** `:name` outside of strings, comments and names; a ParamRef in the tree. */
export interface PlaceholderUse {
  /** Without the colon; may be unknown. */
  readonly name: string
  readonly start: number
  readonly end: number
}

export interface SqlStatement {
  /** Its `location`s are offsets too; unknown ones are omitted. */
  readonly tree: Node
  /** Of the first token. */
  readonly start: number
  /** Of the last token, without a semicolon. */
  readonly end: number
}

export interface SqlError {
  /** PostgreSQL's message, or why the text was not parsed. */
  readonly message: string
  readonly offset: number
  /** Whether a quote or a comment is not closed. */
  readonly isUnclosed: boolean
}

export interface ParsedSql {
  readonly text: string
  /** Names that may be bound, in the order of the tree's ParamRef numbers from 1. */
  readonly known: readonly string[]
  /** Comments included; empty if a quote or a comment is not closed. */
  readonly tokens: readonly SqlToken[]
  readonly placeholders: readonly PlaceholderUse[]
  /** Empty if there is an error. */
  readonly statements: readonly SqlStatement[]
  readonly error?: SqlError
}

export interface SqlSource {
  readonly text: string
  /** Offset of the SQL, after front matter; 0 by default. */
  readonly from?: number
  /** Names that may be bound. */
  readonly placeholders: readonly string[]
  /** Whether the text is an expression, such as a total: the tree is a select of it. */
  readonly isExpression?: boolean
}

/** Syntax errors are returned as `error`; rejects only if the parser process fails. */
export type ParseSql = (source: SqlSource) => Promise<ParsedSql>
