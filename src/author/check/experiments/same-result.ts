/** A result that must be the same in all ways of execution. */
import { lineOfColumn, outputOrder } from '../output-columns.ts'
import type { Draft } from '../rules/draft.ts'
import { firstDifference, type Experiment, type Way } from './experiment.ts'

/** @param cause what a difference depends on @param cure what an order lacks */
export function sameResult(
  ways: readonly Way[],
  cause: string,
  cure: (draft: Draft) => string,
): Experiment['find'] {
  return async trial => {
    const differs = await firstDifference(ways, trial)
    if (differs === undefined) return undefined
    const { definition, draft, question } = trial
    const orderBy = outputOrder(draft)
    const found = `depends on ${cause} (${question.label}: ${differs.text})`
    if (differs.isOrderAlone || orderBy === undefined) {
      const message = `the order of the rows ${found}, expected an order by with ${cure(draft)}`
      return { line: orderBy?.line ?? definition.source.firstLine, message }
    }
    const message = `column "${differs.column}" ${found}, expected every order in it with ${cure(draft)}`
    return { line: lineOfColumn(draft, differs.column), message }
  }
}
