/** The tables and views that a statement reads. Knows no database. */
import { lineAt } from '../../definitions/sql/text-positions.ts'
import { everySelect } from '../sql/query.ts'
import type { Relation } from '../sql/relations.ts'
import type { Draft } from './rules/draft.ts'

/** In text order, without CTEs. */
export function tableReads({
  query,
  text,
}: Pick<Draft, 'query' | 'text'>): Array<Relation & { readonly line: number }> {
  return everySelect(query)
    .flatMap(({ relations }) => relations.filter(({ kind }) => kind === 'table'))
    .map(relation => Object.assign({ line: lineAt(text, relation.offset) }, relation))
    .toSorted((a, b) => a.offset - b.offset)
}
