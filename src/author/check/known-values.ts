/** Texts that a column never holds, as the product's own check constraints say: a condition on one is a slip. */
import type { Finding } from '../../definitions/findings.ts'
import { suggest } from '../../definitions/spelling.ts'
import { tableKey } from './product-tables.ts'
import type { Session } from './session.ts'
import { columnOf, operandBefore } from './text/expressions.ts'
import { everyList, flat, isGroup, isSign, isWord, written, type Nodes } from './text/nodes.ts'
import type { Written, WrittenTable } from './written.ts'

/** By `tableKey` and column. */
export type KnownValues = ReadonlyMap<string, readonly string[]>

interface Row {
  readonly schema: string
  readonly name: string
  readonly column: string
  readonly definition: string
}

/** Of columns with a check such as `kind in ('income', 'expense')`. */
export async function readKnownValues(session: Session): Promise<KnownValues> {
  const rows = await session.rows<Row>(CHECKS)
  return new Map(
    rows.flatMap(({ schema, name, column, definition }) => {
      // why: a check that asks for more than a list may let other values in
      const [, list] =
        /^CHECK \(\([("\w)]+ = ANY \(\(?ARRAY\[(.*)\]\)?\)\)\)$/.exec(definition) ?? []
      const values = list?.split(', ').map(value => /^'([^']*)'::text$/.exec(value)?.[1])
      const all = values?.flatMap(value => value ?? []) ?? []
      if (all.length === 0 || all.length !== values?.length) return []
      return [[keyOf(schema, name, column), all] as const]
    }),
  )
}

const CHECKS = `
select
    pg_namespace.nspname as schema,
    pg_class.relname as name,
    pg_attribute.attname as column,
    pg_get_constraintdef(pg_constraint.oid) as definition
from pg_constraint
join pg_class on pg_class.oid = pg_constraint.conrelid
join pg_namespace on pg_namespace.oid = pg_class.relnamespace
join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attnum = pg_constraint.conkey[1]
where pg_constraint.contype = 'c'
  and cardinality(pg_constraint.conkey) = 1
  and pg_constraint.convalidated`

function keyOf(schema: string | undefined, name: string, column: string): string {
  return `${tableKey(schema, name)}.${column}`
}

interface OfProduct {
  readonly tables: ReadonlyArray<{ readonly schema: string; readonly name: string }>
  readonly values: KnownValues
}

/** At each text that a condition names in vain. */
export function checkKnownValues(
  { tables }: Written,
  { tables: ofProduct, values }: OfProduct,
): Finding[] {
  return tables.flatMap(table =>
    namedValues(table).flatMap(({ column, value, shown, line }) => {
      const schema = table.schema ?? ofProduct.find(({ name }) => name === table.name)?.schema
      const known = values.get(keyOf(schema, table.name, column))
      if (known === undefined || known.includes(value)) return []
      const message = `${shown} is never '${value}', ${suggest(value, known)}`
      return [{ line, message }]
    }),
  )
}

interface NamedValue {
  readonly column: string
  readonly value: string
  readonly shown: string
  readonly line: number
}

/** `table.column = 'x'` and `table.column in ('x', 'y')`. */
function namedValues({ alias, within }: WrittenTable): NamedValue[] {
  return everyList(within).flatMap(list =>
    list.flatMap((node, at) => {
      const isIn = isWord(node, 'in')
      if (!isIn && !isSign(node, '=', '<>', '!=')) return []
      const behindNot = isWord(list[at - 1], 'not') ? at - 1 : at
      const operand = operandBefore(list, behindNot)
      const column = columnOf(operand)
      const next = list[at + 1]
      if (column?.qualifier !== alias || column === undefined || next === undefined) return []
      const named: Nodes = isIn && isGroup(next) ? flat(next.nodes) : [next]
      return named.flatMap(({ kind, text, line }) => {
        const value = kind === 'string' ? /^'([^']*)'$/.exec(text)?.[1] : undefined
        return value === undefined
          ? []
          : [{ column: column.name, value, shown: written(operand), line }]
      })
    }),
  )
}
