/** Volatile and security definer functions and operators of the product that a definition calls. */
import type { Node } from 'libpg-query'
import { as, namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { inEachPart, type Draft } from './rules/draft.ts'
import type { Session } from './session.ts'
import type { Checked } from './subject.ts'

export interface ProductFunction {
  readonly schema: string
  readonly name: string
  readonly isVisible: boolean
  /** Whether PostgreSQL has a function of the same name. */
  readonly isOverload: boolean
  readonly leastArguments: number
  /** For a variadic function, PostgreSQL's limit. */
  readonly mostArguments: number
  readonly isVolatile: boolean
  readonly isSecurityDefiner: boolean
  /** Whether it is not immutable and its language can read tables. */
  readonly mayReadTables: boolean
  /** Operators that call it and that PostgreSQL does not have. */
  readonly operators: readonly string[]
}

export async function readProductFunctions(session: Session): Promise<ProductFunction[]> {
  const rows = await session.rows<{ function: string }>(FUNCTIONS)
  return rows.map(row => JSON.parse(row.function) as ProductFunction)
}

const FUNCTIONS = `
select json_build_object(
    'schema', pg_namespace.nspname,
    'name', own.proname,
    'isVisible', pg_function_is_visible(own.oid),
    'isOverload', exists (
        select from pg_proc as other
        where other.proname = own.proname and other.pronamespace = 'pg_catalog'::regnamespace
    ),
    'leastArguments', own.pronargs - own.pronargdefaults,
    'mostArguments', case when own.provariadic = 0 then own.pronargs else 100 end,
    'isVolatile', own.provolatile = 'v',
    'isSecurityDefiner', own.prosecdef,
    'mayReadTables', own.provolatile <> 'i' and pg_language.lanname not in ('internal', 'c'),
    'operators', (
        select coalesce(json_agg(distinct pg_operator.oprname), '[]')
        from pg_operator
        where pg_operator.oprcode = own.oid
          and not exists (
            select from pg_operator as other
            where other.oprname = pg_operator.oprname and other.oprnamespace = 'pg_catalog'::regnamespace
          )
    )
)::text as function
from pg_proc as own
join pg_namespace on pg_namespace.oid = own.pronamespace
join pg_language on pg_language.oid = own.prolang
where pg_namespace.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
  and own.prokind in ('f', 'a', 'w')`

/** The candidates for a call; which of them it is depends on the types of the arguments. */
function productFunctionsOf(
  node: Node | undefined,
  functions: readonly ProductFunction[],
): ProductFunction[] {
  const call = as(node, 'FuncCall')
  if (call === undefined) return []
  const { funcname, args = [], agg_order: order = [], agg_within_group: within } = call
  const [name, schema] = namesOf(funcname).toReversed()
  const count = args.length + (within === true ? order.length : 0)
  return functions.filter(
    own =>
      own.name === name &&
      (schema === undefined ? own.isVisible && !own.isOverload : own.schema === schema) &&
      own.leastArguments <= count &&
      count <= own.mostArguments,
  )
}

export function checkProductFunctions(
  draft: Draft,
  functions: readonly ProductFunction[],
): Checked {
  const unproved = new Set<string>()
  const findings = inEachPart(draft, ({ root, line }) => {
    const calls = nodesOf(root, 'FuncCall').map(node => ({
      node,
      called: `${namesOf(node.funcname).join('.')}()`,
      candidates: productFunctionsOf({ FuncCall: node }, functions),
    }))
    const operations = nodesOf(root, 'A_Expr').map(node => {
      const sign = namesOf(node.name).at(-1) ?? ''
      const candidates = functions.filter(({ operators }) => operators.includes(sign))
      return { node, called: `operator ${sign}`, candidates }
    })
    return [...calls, ...operations].flatMap(({ node, called, candidates }) => {
      if (candidates.some(({ isSecurityDefiner }) => isSecurityDefiner)) {
        unproved.add(`whose rows ${called} reads: it is security definer, and reads as its owner`)
      }
      if (!candidates.some(({ isVolatile }) => isVolatile)) return []
      if (!candidates.every(({ isVolatile }) => isVolatile)) {
        unproved.add(`whether ${called} is volatile: one of several functions of that name is`)
        return []
      }
      const message = `${called} is volatile, so that its result may differ each time, expected a function that is declared stable or immutable`
      return [{ line: line(node), message }]
    })
  })
  return { findings, unproved: [...unproved] }
}
