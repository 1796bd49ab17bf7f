/** Where columns say `periods: sum`, rows outside of the period change nothing. */
import { OF_EXECUTION } from '../evidence.ts'
import { lineOfColumn } from '../output-columns.ts'
import { OF_BOUNDS, rowsAtEdges, summedColumns } from './edges.ts'
import type { Experiment } from './experiment.ts'
import { describeFigure, figuresOf } from './figures.ts'

/** In this zone the midnight before each of these days comes twice. */
const TWICE = { timeZone: 'America/Havana', period: { start: '2025-11-02', end: '2026-11-01' } }

export const outsidePeriod: Experiment = {
  kind: OF_EXECUTION.outsidePeriod,
  what: 'rows outside of the period',
  periods: ['this year'],
  unless: [...OF_BOUNDS, 'split-period'],
  find: async trial => {
    const { definition, draft, execute, question, unseen } = trial
    const columns = summedColumns(trial)
    if (columns.size === 0) return undefined
    for (const bindings of [question.bindings, TWICE]) {
      const { period, timeZone } = bindings
      const days = [period.start, period.end]
      const ask = async (within: typeof period | undefined) =>
        figuresOf(
          definition,
          await execute({
            ...rowsAtEdges(trial, days, timeZone, within),
            bindings: { period, timeZone },
          }),
        )
      const [all, inside] = [await ask(undefined), await ask(period)]
      if (all.size === 0) unseen(`no rows for ${question.label}`)
      for (const [cell, figure] of all) {
        const expected = inside.get(cell)?.value ?? 0
        const { column, value } = figure
        if (!columns.has(column) || value === expected) continue
        const where =
          bindings === TWICE
            ? `${period.start} to ${period.end} in ${timeZone}, where midnight comes twice`
            : question.label
        const message = `"${column}" says periods: sum and depends on rows outside of the period (${where}: ${describeFigure(figure, expected)} without them), expected those alone that are in the period`
        return { line: lineOfColumn(draft, column), message }
      }
    }
    return undefined
  },
}
