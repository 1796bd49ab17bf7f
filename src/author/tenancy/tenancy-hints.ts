/** Tenancy hints in the SQL of a folder: columns that are compared with the organization's id or selected as it. */
import type { Node } from 'libpg-query'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { tableColumnsOf } from '../sql/columns.ts'
import { comparisonsIn, placeholderOf, withoutCasts } from '../sql/expressions.ts'
import { everySelect, expressionsOf, readQuery, type Select } from '../sql/query.ts'
import type { Draft } from '../check/rules/draft.ts'

/** A table column as named in SQL. */
export interface NamedColumn {
  readonly schema: string | undefined
  readonly table: string
  readonly column: string
}

export interface TenancyHints {
  /** Columns that are compared by `= :organization_id`, once per comparison. */
  readonly compared: readonly NamedColumn[]
  /** Columns that the access files select as `organization_id`. */
  readonly ids: readonly NamedColumn[]
}

/** @param access SQL of the access files */
export async function readTenancyHints(
  drafts: readonly Draft[],
  access: readonly string[],
  parse: ParseSql,
): Promise<TenancyHints> {
  const ids: NamedColumn[] = []
  for (const text of access) {
    const { statements } = await parse({ text, placeholders: [] })
    const query = readQuery(statements[0]?.tree)
    for (const select of query?.selects ?? []) {
      const item = select.items.find(({ name }) => name === 'organization_id')
      if (item !== undefined) ids.push(...tableColumnsIn(item.expression, select))
    }
  }
  return { ...hintsOf(drafts), ids }
}

export function hintsOf(drafts: readonly Draft[]): TenancyHints {
  const selects = drafts.flatMap(({ query }) => everySelect(query))
  const compared = selects.flatMap(select =>
    comparisonsIn(expressionsOf(select), { subqueries: false }).flatMap(({ left, sign, right }) =>
      sign === '=' && placeholderOf(right) === 'organization_id'
        ? tableColumnsIn(left, select)
        : [],
    ),
  )
  return { compared, ids: [] }
}

/** Follows CTEs, subqueries and casts. */
function tableColumnsIn(node: Node, select: Select): NamedColumn[] {
  const columns = tableColumnsOf(node, select, { bare: withoutCasts })
  return columns.map(({ relation: { schema, name: table = '' }, name: column }) => ({
    schema,
    table,
    column,
  }))
}
