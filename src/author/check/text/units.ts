/** Rules on units: money is in whole kopecks. */
import type { Finding } from '../../../definitions/findings.ts'
import type { Draft, TextRule } from './draft.ts'
import { callsIn, columnOf } from './expressions.ts'
import { everyList, flat, isGroup, isSign, isWord, type Nodes } from './nodes.ts'
import { firstSelect } from './queries.ts'

export interface Valued {
  readonly name: string
  readonly nodes: Nodes
  /** The total's; undefined where each token has its own. */
  readonly line: number | undefined
}

/** Whatever makes a value of this type: items of the outermost select, totals and facts. */
export function valuesOf(
  { report, metrics, query, totals }: Draft,
  type: 'money' | 'number' | 'percent',
): Valued[] {
  const columns = [
    ...Object.entries(report?.columns ?? {}).map(([name, column]) => ({ name, type: column.type })),
    ...Object.entries(metrics?.metrics ?? {}).map(([name, { format }]) => ({ name, type: format })),
  ]
  const ofType = new Set(columns.flatMap(column => (column.type === type ? [column.name] : [])))
  const items = (firstSelect(query)?.items ?? []).flatMap(({ name, expression }) =>
    name !== undefined && ofType.has(name) ? [{ name, nodes: expression, line: undefined }] : [],
  )
  return [...items, ...totals.filter(total => total.type === type)]
}

/** `max(amount_kopecks) / 100` is an integer: its kopecks are gone. */
export const wholeRoubles: TextRule = draft =>
  valuesOf(draft, 'number').flatMap(({ name, nodes, line }): Finding[] => {
    const [call, group, sign, by, ...rest] = nodes
    const isWhole =
      isWord(call, 'max', 'min') &&
      isGroup(group) &&
      /kopecks?$/.test(columnOf(group.nodes)?.name ?? '') &&
      isSign(sign, '/') &&
      /^10{2,}$/.test(by?.text ?? '') &&
      rest.length === 0
    if (!isWhole) return []
    const message = `${name} drops the fraction of integers, expected ${by?.text}.0, or money in whole kopecks`
    return [{ line: line ?? call?.line ?? 1, message }]
  })

/** Functions that give a double whatever they are given. */
const DOUBLES = ['date_part', 'sqrt', 'cbrt', 'exp', 'ln']

/** A double has no exact kopecks. */
export const exactMoney: TextRule = draft =>
  valuesOf(draft, 'money').flatMap(({ name, nodes, line }) =>
    callsIn(nodes, ...DOUBLES, 'power').flatMap((call): Finding[] => {
      const isCast = isSign(call.rest[0], '::')
      // why: of a numeric these give a numeric, and text knows one by its cast, its fraction or its sum
      const isNumeric = call.args
        .flatMap(flat)
        .some(
          token =>
            isSign(token, '::') ||
            isWord(token, 'numeric', 'sum', 'round', 'avg') ||
            (token.kind === 'number' && token.text.includes('.')),
        )
      if (call.name === 'date_part' ? isCast : isNumeric) return []
      const expected = call.name === 'date_part' ? 'extract(... from ...)' : 'a cast to numeric'
      const message = `${name} goes through ${call.name}(), a double, expected ${expected}`
      return [{ line: line ?? call.line, message }]
    }),
  )

/** Kopecks stay kopecks: no roubles, and nothing that ends at 21 million roubles. */
export const kopecks: TextRule = draft =>
  valuesOf(draft, 'money').flatMap(({ name, nodes, line }) =>
    everyList(nodes).flatMap(list =>
      list.flatMap((node, at): Finding[] => {
        const next = list[at + 1]
        const find = (message: string) => [
          { line: line ?? node.line, message: `${name} ${message}` },
        ]
        const isScaled =
          isSign(node, '/') &&
          /^100(\.0*)?$/.test(next?.text ?? '') &&
          !list.some(other => isSign(other, '*'))
        if (isScaled)
          return find('is divided by 100, expected whole kopecks: answer and summary print roubles')
        if (!isSign(node, '::') || !isWord(next, 'int', 'integer', 'int4')) return []
        return find(
          `is cast to ${next?.text}, which ends at 21 million roubles, expected bigint or numeric`,
        )
      }),
    ),
  )
