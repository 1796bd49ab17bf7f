/** Where columns say `periods: sum`, rows outside of the period change nothing. */
import type { Bindings } from '../../../definitions/definition.ts'
import type { Period } from '../../../model/terms.ts'
import { evidence } from '../evidence.ts'
import { lineOfColumn } from '../output-columns.ts'
import { OF_BOUNDS, rowsAtEdges, summedColumns } from './edges.ts'
import type { Experiment, Trial } from './experiment.ts'
import { describeFigure, figuresOf, type Figure } from './figures.ts'

/** In this zone the midnight before each of these days comes twice. */
const TWICE = { timeZone: 'America/Havana', period: { start: '2025-11-02', end: '2026-11-01' } }

export const outsidePeriod: Experiment = {
  kind: evidence('outside-period'),
  what: 'rows outside of the period',
  periods: ['this year'],
  unless: [...OF_BOUNDS, 'split-period'],
  find: async trial => {
    const { draft, question } = trial
    const columns = summedColumns(trial)
    if (columns.size === 0) return undefined
    // why: the midnights of other zones are among those of this one, so that most statements are executed twice only
    const inZone = await dependingOn(trial, columns, TWICE)
    const found = inZone && ((await dependingOn(trial, columns, question.bindings)) ?? inZone)
    if (found === undefined) return undefined
    const { figure, expected } = found
    const where =
      found === inZone
        ? `${TWICE.period.start} to ${TWICE.period.end} in ${TWICE.timeZone}, where midnight comes twice`
        : question.label
    const message = `"${figure.column}" says periods: sum and depends on rows outside of the period (${where}: ${describeFigure(figure, expected)} without them), expected those alone that are in the period`
    return { line: lineOfColumn(draft, figure.column), message }
  },
}

/** A figure that other rows than those of the period change. */
async function dependingOn(
  trial: Trial,
  columns: ReadonlySet<string>,
  { period, timeZone }: Pick<Bindings, 'period' | 'timeZone'>,
): Promise<{ figure: Figure; expected: number } | undefined> {
  const { definition, execute, question, unseen } = trial
  const ask = async (within: Period | undefined) => {
    const rows = rowsAtEdges(trial, [period.start, period.end], timeZone, within)
    return figuresOf(
      definition,
      await execute({ ...rows, bindings: { period, timeZone } }),
      columns,
    )
  }
  const [all, inside] = [await ask(undefined), await ask(period)]
  if (all.size === 0) unseen(`no rows for ${question.label}`)
  for (const [cell, figure] of all) {
    const expected = inside.get(cell)?.value ?? 0
    if (figure.value !== expected) return { figure, expected }
  }
  return undefined
}
