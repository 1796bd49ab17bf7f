/** The organization's condition, as far as text tells it: for definitions that no database is asked about. */
import type { Finding } from '../../../definitions/findings.ts'
import type { Draft, TextRule } from './draft.ts'
import { columnOf, comparisonsIn, placeholderOf } from './expressions.ts'
import { flat, isWord, nameOf, type Nodes } from './nodes.ts'
import { cteNames, everySelect } from './queries.ts'
import type { Select } from './read-query.ts'
import type { Table } from './tables.ts'

const PLACEHOLDER = ':organization_id'

/** Each table that has the organization's column in any definition carries it in every select. */
export const organizationOfEachTable: TextRule = (draft, all) => {
  const column = organizationColumn(all)
  const theirs = new Set(all.flatMap(other => tablesWith(other, column)))
  const ctes = cteNames(draft.query)
  return everySelect(draft.query).flatMap(select => {
    const tables = select.tables.filter(({ name }) => name !== undefined && !ctes.has(name))
    return tables.flatMap(table => {
      if (
        table.using ||
        !theirs.has(table.name ?? '') ||
        carries(select, table, column, tables.length)
      )
        return []
      const named = table.alias === table.name ? `${table.name}` : `${table.name} as ${table.alias}`
      const message = `${named} without a condition on the organization, expected ${table.alias}.${column} = ${PLACEHOLDER}`
      return [{ line: table.line, message }]
    })
  })
}

/** A select of tables alone that speaks of no organization at all, whatever other definitions read. */
export const someOrganization: TextRule = (draft, all) => {
  const column = organizationColumn(all)
  const theirs = new Set(all.flatMap(other => tablesWith(other, column)))
  const ctes = cteNames(draft.query)
  // why: that nothing is bound to an organization is said by loading
  if (!draft.tokens.some(({ text }) => text === PLACEHOLDER)) return []
  return everySelect(draft.query).flatMap(({ tables, nodes }) => {
    const named = tables.filter(({ name }) => name !== undefined)
    const [table] = named
    const areTables = named.every(
      ({ name = '', schema }) => !ctes.has(name) && !isCatalog(name, schema),
    )
    const isSaid = flat(nodes).some(token => nameOf(token) === column || token.text === PLACEHOLDER)
    // why: what other definitions read by organization is the other rule's
    if (table === undefined || !areTables || isSaid) return []
    if (named.some(({ name = '' }) => theirs.has(name))) return []
    const message = `${table.name} is read and no organization named, expected ${table.alias}.${column} = ${PLACEHOLDER}`
    return [{ line: table.line, message }]
  })
}

function isCatalog(name: string, schema: string | undefined): boolean {
  return name.startsWith('pg_') || schema === 'information_schema'
}

/** The column that is most often compared with the placeholder. */
function organizationColumn(all: readonly Draft[]): string {
  const counts = new Map<string, number>()
  for (const { nodes } of all) {
    for (const { left, sign, right } of comparisonsIn(nodes)) {
      const name = columnOf(left)?.name
      if (sign !== '=' || placeholderOf(right) !== PLACEHOLDER || name === undefined) continue
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? PLACEHOLDER.slice(1)
}

function tablesWith({ query }: Draft, column: string): string[] {
  return everySelect(query).flatMap(select =>
    select.tables.flatMap(table =>
      table.name !== undefined && carries(select, table, column, select.tables.length)
        ? [table.name]
        : [],
    ),
  )
}

/** Compared with the placeholder, or with another table's column, or with that of an outer select. */
function carries({ nodes }: Select, { alias }: Table, column: string, tableCount: number): boolean {
  return comparisonsIn(nodes).some(({ left, sign }) => {
    const found = columnOf(left)
    const isOurs =
      found?.qualifier === alias || (found?.qualifier === undefined && tableCount === 1)
    return sign === '=' && found?.name === column && isOurs
  })
}

/** `a and b or c`: the organization's condition does not hold for c. */
export const organizationBesideOr: TextRule = ({ query }) =>
  everySelect(query).flatMap(({ where }): Finding[] => {
    const or = where.find(node => isWord(node, 'or'))
    if (or === undefined) return []
    const branches = splitAtOr(where)
    const bound = branches.filter(branch =>
      comparisonsIn(branch).some(({ right }) => placeholderOf(right) === PLACEHOLDER),
    )
    if (bound.length === 0 || bound.length === branches.length) return []
    const message = `or beside the condition on the organization lets rows of others in, expected brackets around what it joins`
    return [{ line: or.line, message }]
  })

function splitAtOr(where: Nodes): Nodes[] {
  const cuts = where.flatMap((node, at) => (isWord(node, 'or') ? [at] : []))
  return [...cuts, where.length].map((end, index) => where.slice((cuts[index - 1] ?? -1) + 1, end))
}
