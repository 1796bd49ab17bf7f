/** Windows of a select, by their `over` clauses. */
import type { Node, WindowDef } from 'libpg-query'
import { as } from '../../definitions/sql/syntax-tree.ts'
import type { Select } from '../check/statement.ts'

/** Whether a window has an order, its own or that of the named window on which it builds. */
export function isOrdered(window: WindowDef, select: Select): boolean {
  return parts(window, select).some(({ orderClause }) => orderClause !== undefined)
}

/** The partition expressions of a window. */
export function partitionOf(window: WindowDef, select: Select): Node[] {
  return parts(window, select).flatMap(({ partitionClause = [] }) => partitionClause)
}

function parts(window: WindowDef, select: Select): WindowDef[] {
  const name = window.refname ?? window.name
  const base = (select.node.windowClause ?? [])
    .flatMap(node => as(node, 'WindowDef') ?? [])
    .find(one => one !== window && one.name === name)
  return base === undefined ? [window] : [window, ...parts(base, select)]
}
