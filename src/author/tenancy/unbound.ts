/** Explains why a table is not bound to the organization, with the offset of the condition. */
import type { Node } from 'libpg-query'
import { as, nodesOf, type Within } from '../../definitions/sql/syntax-tree.ts'
import type { DraftPart } from '../check/rules/draft.ts'
import {
  columnOf,
  conjunctsOf,
  offsetIn,
  operatorOf,
  placeholdersIn,
  stringOf,
  UUID,
  withoutCasts,
} from '../sql/expressions.ts'
import { expressionsOf } from '../sql/query.ts'
import type { Relation } from '../sql/relations.ts'
import { conditionEqualities, termsIn, type Conditions } from './conditions.ts'
import { ANY_NAME, type TableTenancy, type Tenancies } from './tenancy.ts'
import { ORGANIZATION, type Source, type Term, type Terms } from './terms.ts'

/** A reference to a table in the definition. */
export interface TableRead extends TableTenancy {
  readonly source: Source
  readonly relation: Relation
  readonly part: DraftPart
}

export interface Unbound {
  readonly message: string
  /** The offset of the wrong condition; undefined if there is none. */
  readonly offset?: number
  readonly isUnproved?: boolean
}

const OWN = { subqueries: false }
/** Kinds of expressions that change a value. */
const OPAQUE = ['FuncCall', 'CaseExpr', 'CoalesceExpr', 'MinMaxExpr', 'A_Indirection'] as const

export function createUnboundReader(terms: Terms, conditions: Conditions, tenancies: Tenancies) {
  /** Whether an expression, or a subquery in it, names a tenancy column of the table. */
  function names(node: unknown, { source, tenancy }: TableRead, within?: Within): boolean {
    const columns = tenancyColumns(tenancy)
    return nodesOf(node, 'ColumnRef', within).some(content => {
      const term = terms.termIn(content)
      return term?.source === source && columns.includes(term.name)
    })
  }

  /** Whether a column may be the table's, although its relation is unknown or is a join with an alias. */
  function mayName(node: Node, { source, tenancy }: TableRead): boolean {
    return nodesOf(node, 'ColumnRef', OWN).some(content => {
      const { name = '', qualifier } = columnOf({ ColumnRef: content }) ?? {}
      const isOfRelation = source.select.relations.some(({ alias }) => alias === qualifier)
      const isColumn = tenancyColumns(tenancy).includes(name)
      return isColumn && !isOfRelation && terms.termIn(content) === undefined
    })
  }

  /** Whether it changes the value of a tenancy column, so that the condition proves nothing. */
  function isOpaque(node: Node, read: TableRead): boolean {
    const isAlways = nodesOf(node, 'CoalesceExpr').some(({ args = [] }) =>
      args.some(arg => as(arg, 'A_Const')?.boolval?.boolval === true),
    )
    const changing = [
      ...OPAQUE.flatMap((kind): unknown[] => nodesOf(node, kind)),
      ...nodesOf(node, 'A_Expr').filter(
        one => one.kind === 'AEXPR_NULLIF' || /^[-+*/%|]/.test(operatorOf({ A_Expr: one }) ?? ''),
      ),
    ]
    return !isAlways && changing.some(part => names(part, read, OWN))
  }

  /** Whether all aggregates of a select seem to filter by the organization. */
  function isFiltered(read: TableRead): boolean {
    const { node, items } = read.source.select
    const counted = items
      .map(({ expression }) => expression)
      .filter(one => nodesOf(one, 'ColumnRef').length + nodesOf(one, 'FuncCall').length > 0)
    const isForOne = (one: Node) => names(one, read, OWN) && mentionsOrganization(one)
    return node.groupClause === undefined && counted.length > 0 && counted.every(isForOne)
  }

  function equalTerms(node: Node, { source: { select } }: TableRead): Term[] {
    return termsIn(conditions.formulaOf(node, select))
  }

  /** Whether it compares with the result of a function. */
  function isOfFunction(node: Node, read: TableRead): boolean {
    return equalTerms(node, read).some(({ source }) => source?.relation?.kind === 'function')
  }

  /** Whether it compares with the organization's id. */
  function isOfOrganization(node: Node, read: TableRead): boolean {
    return equalTerms(node, read).includes(ORGANIZATION)
  }

  function why(read: TableRead): Unbound {
    const { tenancy, source, relation, part } = read
    const { node, relations } = source.select
    const ons = relations.map(({ on }) => on)
    const all = [node.whereClause, node.havingClause, ...ons].flatMap(conjunctsOf)
    const relevant = all.filter(one => names(one, read))
    const isUnproved =
      relevant.some(one => isOpaque(one, read) || isOfFunction(one, read)) ||
      all.some(one => mayName(one, read)) ||
      isFiltered(read)
    if (isUnproved)
      return { message: `that ${nameOf(read)} is read for the organization only`, isUnproved: true }
    if (relevant.some(isOfUuid)) return { message: '' }
    const or = relevant.find(isInOr)
    if (or !== undefined) {
      const args = as(or, 'BoolExpr')?.args ?? []
      const allowsNull = args.every(
        one =>
          names(one, read, OWN) &&
          (as(one, 'NullTest')?.nulltesttype === 'IS_NULL' || isOfOrganization(one, read)),
      )
      if (allowsNull) {
        const message = `whether rows of ${nameOf(read)} without an organization are for all`
        return { message, isUnproved: true }
      }
      const message =
        'or next to the condition on the organization includes rows of others, expected brackets around what it joins'
      return { message, offset: as(or, 'BoolExpr')?.location ?? offsetIn(or) }
    }
    if (tenancy.kind === 'child') return { message: ofChild(read) }
    const first = relevant.find(mentionsOrganization) ?? relevant[0]
    const outer =
      first !== undefined && isOfOrganization(first, read)
        ? ' in the on of an outer join that returns rows without a match'
        : ''
    const found = first === undefined ? 'none' : part.written(first) + outer
    const message = `${nameOf(read)} is read without its organization's condition (found ${found}), expected ${relation.alias}.${tenancyColumns(tenancy)[0]} = :organization_id`
    const isAtFault = first !== undefined && mentionsOrganization(first)
    return isAtFault ? { message, offset: offsetIn(first) } : { message }
  }

  function ofChild(read: TableRead): string {
    const [link] = read.tenancy.kind === 'child' ? read.tenancy.links : []
    const parent = tenancies.ofKey(link?.parent ?? '')?.table?.name ?? link?.parent ?? ''
    const condition = link?.columns.includes(ANY_NAME)
      ? [`a join with ${parent}`]
      : link?.columns.map(
          (name, at) => `${read.relation.alias}.${name} = ${parent}.${link.keys[at]}`,
        )
    return `${nameOf(read)} is read without a row of ${parent} of the organization, expected ${condition?.join(' and ')}, and the organization's condition on ${parent}`
  }

  return {
    why,
    undeclared(read: TableRead): string {
      const { tenancy, table, key } = read
      const name = (table?.isVisible === false ? undefined : table?.name) ?? key
      const candidates = tenancy.kind === 'unknown' ? tenancy.candidates : []
      return candidates.length > 0
        ? `${name} has more than one column of organizations, ${candidates.join(' and ')}, expected its line in tenancy.yaml: ${name}: ${candidates[0]}`
        : `${name} is neither of an organization nor shared, expected its line in tenancy.yaml: ${name}: <column>, via <table> or shared`
    },
    unnamed(read: TableRead): string {
      const { alias } = read.relation
      return `${nameOf(read)} is read without an organization, expected ${alias}.${tenancies.organizationColumn} = :organization_id, or its line in tenancy.yaml`
    },
    /** For a table of unknown tenancy: whether conditions of its select may bind it. */
    mayBeBound({ source, relation }: TableRead): boolean {
      const { select } = source
      const isMentioned = expressionsOf(select)
        .flatMap(conjunctsOf)
        .some(one =>
          nodesOf(one, 'ColumnRef', OWN).some(
            ColumnRef =>
              columnOf({ ColumnRef })?.name === tenancies.organizationColumn ||
              mentionsOrganization(one),
          ),
        )
      const isJoined = conditionEqualities(conditions.of(select, [relation])).some(
        ({ left, right }) => {
          const other = left.source === source ? right.source : left.source
          const isOwn = [left, right].some(one => one.source === source)
          return isOwn && other !== source && other?.select === select
        },
      )
      return isMentioned || isJoined
    },
  }
}

function tenancyColumns(tenancy: TableRead['tenancy']): readonly string[] {
  if (tenancy.kind === 'tenant') return [tenancy.column]
  return tenancy.kind === 'child' ? tenancy.links.flatMap(link => link.columns) : []
}

function nameOf({ relation: { alias, name = alias } }: TableRead): string {
  return alias === name ? name : `${name} as ${alias}`
}

function mentionsOrganization(node: unknown): boolean {
  return placeholdersIn(node).includes('organization_id')
}

function isInOr(node: Node): boolean {
  const { boolop, args = [] } = as(node, 'BoolExpr') ?? {}
  return boolop === 'OR_EXPR' && args.some(mentionsOrganization)
}

/** Another rule reports such a literal. */
function isOfUuid(node: Node): boolean {
  const { lexpr, rexpr } = as(node, 'A_Expr') ?? {}
  return [lexpr, rexpr].some(side => UUID.test(stringOf(withoutCasts(side)) ?? ''))
}
