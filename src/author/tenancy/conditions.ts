/**
 * Conditions that every row of a result meets: `where`, `having`, and those of joins that drop rows without a match. An
 * outer join does not drop rows of its preserved side.
 */
import type { A_Expr, Node } from 'libpg-query'
import { as, namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { JSON_AGGREGATES } from '../sql/aggregates.ts'
import { withoutCasts } from '../sql/expressions.ts'
import type { Select } from '../sql/query.ts'
import type { Relation } from '../sql/relations.ts'
import { givingSelects, ORGANIZATION, type Term, type Terms } from './terms.ts'

/** Equalities that follow from a condition; empty for most conditions. */
export type Formula = readonly Fact[]

export type Fact = Equality | { readonly choices: readonly Formula[] }

interface Equality {
  readonly left: Term
  readonly right: Term
}

export type Conditions = ReturnType<typeof createConditions>

const OWN = { subqueries: false }
const UNKNOWN: Formula = []
const FALSE: Formula = [{ choices: [] }]

interface Joins {
  readonly where: Formula
  /** By relation: the conditions of joins that drop its rows. */
  readonly drops: ReadonlyMap<Relation, Formula>
  /** Relations that no outer join can null-extend. */
  readonly present: readonly Relation[]
}

export function createConditions(terms: Terms) {
  const known = new Map<Select, Joins>()

  function joinsOf(select: Select): Joins {
    const { node, relations } = select
    const drops = new Map<Relation, Formula>()
    const optional = new Set<Relation>()
    for (const { kind, lefts, rights, on, using, isNatural } of select.joins) {
      const [names, others] = [lefts, rights].map(
        side => new Set(side.flatMap(one => terms.outerNames(one) ?? [])),
      )
      const shared = isNatural ? [...names!].filter(name => others?.has(name)) : using
      const merging = shared.flatMap(name => merged(name, lefts, rights))
      const met = [...formulaOf(on, select), ...merging]
      const sides = [
        { side: lefts, isPreserved: kind === 'left' || kind === 'full', other: rights },
        { side: rights, isPreserved: kind === 'right' || kind === 'full', other: lefts },
      ]
      for (const { side, isPreserved, other } of sides) {
        if (isPreserved) for (const one of other) optional.add(one)
        else for (const one of side) drops.set(one, [...(drops.get(one) ?? []), ...met])
      }
    }
    const present = relations.filter(one => !optional.has(one))
    const where = [node.whereClause, node.havingClause].flatMap(one => formulaOf(one, select))
    return { where, drops, present }
  }

  function merged(name: string, lefts: readonly Relation[], rights: readonly Relation[]): Formula {
    const termIn = (relations: readonly Relation[]) => {
      const relation = relations.find(one => terms.outerNames(one)?.includes(name) ?? true)
      return relation && terms.relationTerm(relation, name)
    }
    return equal(termIn(lefts), termIn(rights))
  }

  /** The facts in each row of a select in which these relations are not null-extended. */
  function of(select: Select, relations: readonly Relation[]): Formula {
    const joins = known.get(select) ?? joinsOf(select)
    known.set(select, joins)
    const present = new Set([...joins.present, ...relations])
    const formula = new Set<Fact>()
    const add = (fact: Fact) => {
      formula.add(fact)
      // why: null equals nothing, so a compared relation is present; the loop below also visits elements added here
      for (const { source } of termsIn([fact])) {
        if (source?.select === select && source.relation !== undefined) present.add(source.relation)
      }
    }
    joins.where.forEach(add)
    for (const one of present) joins.drops.get(one)?.forEach(add)
    return [...formula]
  }

  function formulaOf(node: Node | undefined, select: Select, isNegated = false): Formula {
    if (node === undefined) return UNKNOWN
    const { boolop, args = [] } = as(node, 'BoolExpr') ?? {}
    if (boolop === 'NOT_EXPR') return formulaOf(args[0], select, !isNegated)
    if (boolop !== undefined) {
      const parts = args.map(one => formulaOf(one, select, isNegated))
      return (boolop === 'AND_EXPR') === isNegated ? either(parts) : parts.flat()
    }
    const { boolval } = as(node, 'A_Const') ?? {}
    if (boolval !== undefined) return (boolval.boolval === true) === isNegated ? FALSE : UNKNOWN
    const expression = as(node, 'A_Expr')
    if (expression !== undefined) return comparison(expression, select, isNegated)
    if (isNegated) return UNKNOWN
    const test = as(node, 'BooleanTest')
    if (test?.booltesttype === 'IS_TRUE') return formulaOf(test.arg, select)
    const [condition, otherwise, ...more] = as(node, 'CoalesceExpr')?.args ?? []
    const isOtherwiseFalse = as(otherwise, 'A_Const')?.boolval?.boolval !== true
    if (as(otherwise, 'A_Const')?.boolval !== undefined && isOtherwiseFalse && more.length === 0)
      return formulaOf(condition, select)
    const link = as(node, 'SubLink')
    const source = link && terms.subquerySource(link)
    if (source?.query === undefined) return UNKNOWN
    if (link?.subLinkType === 'EXISTS_SUBLINK') return existing(givingSelects(source.query))
    const pairs = [...source.tested].flatMap(([name, term]) =>
      equal(term, terms.columnTerm(source, name)),
    )
    return source.tested.size === 0 ? UNKNOWN : [...pairs, ...existing(givingSelects(source.query))]
  }

  /** Facts of a row for which a subquery returns a row. */
  function existing(selects: readonly Select[]): Formula {
    const parts = selects.map((select): Formula => {
      const { targetList, groupClause, havingClause, sortClause } = select.node
      const isCalling = [...JSON_AGGREGATES, 'FuncCall' as const].some(
        kind => nodesOf([targetList, sortClause], kind, OWN).length > 0,
      )
      // why: without groups an aggregate returns a row even for no input, and so does an empty grouping set
      const isAlways =
        groupClause === undefined
          ? isCalling || havingClause !== undefined
          : nodesOf(groupClause, 'GroupingSet', OWN).length > 0
      return isAlways ? UNKNOWN : of(select, [])
    })
    return either(parts)
  }

  function comparison(expression: A_Expr, select: Select, isNegated: boolean): Formula {
    const { kind, lexpr, rexpr } = expression
    const sign = namesOf(expression.name).at(-1)
    const isEqual = kind === 'AEXPR_OP' && sign === (isNegated ? '<>' : '=')
    const isSame = kind === (isNegated ? 'AEXPR_DISTINCT' : 'AEXPR_NOT_DISTINCT')
    const isOrganization = (one: Node | undefined) => terms.termOf(one, select) === ORGANIZATION
    // why: null is not distinct from null, not even for missing rows
    if (isEqual || (isSame && [lexpr, rexpr].some(isOrganization)))
      return equalRows(lexpr, rexpr, select)
    if (isNegated || sign !== '=') return UNKNOWN
    if (kind !== 'AEXPR_IN' && kind !== 'AEXPR_OP_ANY') return UNKNOWN
    const list = withoutCasts(rexpr)
    const link = as(list, 'SubLink')
    if (link?.subLinkType === 'ARRAY_SUBLINK') {
      const source = terms.subquerySource(link)
      return equal(terms.termOf(lexpr, select), source && terms.columnTerm(source, '#0'))
    }
    const values = as(list, 'List')?.items ?? as(list, 'A_ArrayExpr')?.elements
    if (values === undefined) return UNKNOWN
    return either(values.map(value => equalRows(lexpr, value, select)))
  }

  function equalRows(left: Node | undefined, right: Node | undefined, select: Select): Formula {
    const lefts = terms.termsOf(left, select)
    const rights = terms.termsOf(right, select)
    const pairs = lefts.flatMap((term, at) => equal(term, rights[at]))
    return [...pairs, ...[left, right].flatMap(foundBy)]
  }

  /** Facts of the row from which a scalar subquery takes its value. */
  function foundBy(node: Node | undefined): Formula {
    const link = as(withoutCasts(node), 'SubLink')
    const source = link?.subLinkType === 'EXPR_SUBLINK' ? terms.subquerySource(link) : undefined
    return source?.query === undefined ? UNKNOWN : existing(givingSelects(source.query))
  }

  return { of, formulaOf }
}

function equal(left: Term | undefined, right: Term | undefined): Formula {
  return left === undefined || right === undefined ? UNKNOWN : [{ left, right }]
}

function either(choices: readonly Formula[]): Formula {
  // why: nothing follows from all choices if nothing follows from one
  if (choices.some(one => one.length === 0)) return UNKNOWN
  const [only, ...others] = choices
  return only !== undefined && others.length === 0 ? only : [{ choices }]
}

export function conditionEqualities(formula: Formula): Equality[] {
  return formula.flatMap(fact => ('choices' in fact ? [] : fact))
}

/** Terms that are equal to others in every case. */
export function termsIn(formula: Formula): Term[] {
  return conditionEqualities(formula).flatMap(({ left, right }) => [left, right])
}
