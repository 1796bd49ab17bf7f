/** Where the parts of a definition's statement stand in its file: what findings of a run are pinned to. Knows no database. */
import type { DefinitionSource } from '../../definitions/definition.ts'
import { lex, significant } from '../../definitions/lexer.ts'
import { statementSql } from '../../definitions/source-file.ts'
import { columnOf } from './text/expressions.ts'
import { byComma, isWord, nest, type Nodes } from './text/nodes.ts'
import { cteNames, everySelect, firstSelect } from './text/queries.ts'
import { readQuery, type Item, type Query } from './text/read-query.ts'
import type { Table } from './text/tables.ts'

export interface WrittenTable extends Table {
  readonly name: string
  /** The select that reads it. */
  readonly within: Nodes
}

export interface Written {
  /** The statement as it stands in the file, without a final semicolon. */
  readonly sql: string
  readonly firstLine: number
  /** Of the select that names the columns. */
  readonly items: readonly Item[]
  /** Of every select, at any depth. */
  readonly everyItem: readonly Item[]
  /** Real tables and views, in the order of the text; no CTEs. */
  readonly tables: readonly WrittenTable[]
  readonly orderBy: WrittenOrder | undefined
}

export interface WrittenOrder {
  readonly line: number
  /** The columns of the answer that it names; undefined where it names anything else. */
  readonly columns: readonly string[] | undefined
}

export function readWritten({ text, start, firstLine }: DefinitionSource): Written {
  const tokens = significant(lex(text, start))
  const end = tokens.findIndex(token => token.text === ';')
  const nodes = nest(end === -1 ? tokens : tokens.slice(0, end)) ?? []
  const query = readQuery(nodes)
  const ctes = cteNames(query)
  const items = firstSelect(query)?.items ?? []
  return {
    sql: statementSql(text, tokens),
    firstLine,
    items,
    everyItem: everySelect(query).flatMap(select => select.items),
    tables: everySelect(query)
      .flatMap(select => select.tables.map(table => ({ ...table, within: select.nodes })))
      .filter((table): table is WrittenTable => {
        const { name, schema } = table
        return name !== undefined && (schema !== undefined || !ctes.has(name))
      }),
    orderBy: readOrder(query, items),
  }
}

function readOrder({ orderBy }: Query, items: readonly Item[]): WrittenOrder | undefined {
  const first = orderBy?.[0]
  if (orderBy === undefined || first === undefined) return undefined
  const columns = byComma(orderBy).map(item => outputColumn(withoutDirection(item), items))
  const all = columns.flatMap(column => column ?? [])
  return { line: first.line, columns: all.length === columns.length ? all : undefined }
}

function withoutDirection(item: Nodes): Nodes {
  const end = item.findIndex(
    (node, at) => at > 0 && isWord(node, 'asc', 'desc', 'nulls', 'collate', 'using'),
  )
  return end === -1 ? item : item.slice(0, end)
}

function outputColumn(item: Nodes, items: readonly Item[]): string | undefined {
  const [only] = item
  if (item.length === 1 && only?.kind === 'number') return items[Number(only.text) - 1]?.name
  const column = columnOf(item)
  if (column === undefined) return undefined
  if (column.qualifier === undefined) return items.find(({ name }) => name === column.name)?.name
  return items.find(({ expression }) => {
    const selected = columnOf(expression)
    return selected?.name === column.name && selected.qualifier === column.qualifier
  })?.name
}

/** The line of a selected column; the statement's first where the text does not tell. */
export function lineOfColumn({ items, firstLine }: Written, name: string, nth = 0): number {
  return items.filter(item => item.name === name)[nth]?.line ?? firstLine
}

/** The line of the file at a place of the statement as it was sent, behind `headLength` characters of ours. */
export function lineAt({ firstLine }: Written, sent: string, position: number): number {
  return firstLine + sent.slice(0, Math.max(0, position - 1)).split('\n').length - 1
}
