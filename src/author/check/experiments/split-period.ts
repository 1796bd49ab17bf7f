/** Where columns say `periods: sum`, the parts of a split period add up to it. */
import { addDays } from '../../../definitions/calendar.ts'
import type { IsoDate, Period } from '../../../model/terms.ts'
import { evidence } from '../evidence.ts'
import { lineOfColumn } from '../output-columns.ts'
import { OF_BOUNDS, rowsAtEdges, summedColumns } from './edges.ts'
import type { Experiment } from './experiment.ts'
import { figuresOf } from './figures.ts'

export const splitPeriod: Experiment = {
  kind: evidence('split-period'),
  what: 'parts of a period',
  periods: ['this year'],
  unless: OF_BOUNDS,
  find: async trial => {
    const { definition, draft, execute, question, unseen } = trial
    const columns = summedColumns(trial)
    if (columns.size === 0) return undefined
    const { period, timeZone } = question.bindings
    const day = middleOf(period)
    const rows = rowsAtEdges(trial, [day], timeZone)
    const ask = async (part: Period) =>
      figuresOf(definition, await execute({ ...rows, bindings: { period: part } }), columns)
    const all = await ask(period)
    const before = await ask({ ...period, end: day })
    const after = await ask({ ...period, start: day })
    const cells = new Map([...after, ...before, ...all])
    if (cells.size === 0) unseen(`no rows for ${question.label}`)
    for (const [cell, { column, row }] of cells) {
      const [whole = 0, first = 0, second = 0] = [all, before, after].map(
        one => one.get(cell)?.value,
      )
      if (whole === first + second) continue
      const message = `"${column}" says periods: sum, and its parts before and from ${day} do not add up (${question.label}, ${row}: ${first} and ${second} instead of ${whole}), expected each row in one of them, as by >= :period_start and < :period_end`
      return { line: lineOfColumn(draft, column), message }
    }
    return undefined
  },
}

function middleOf({ start, end }: Period): IsoDate {
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000
  return addDays(start, Math.ceil(days / 2))
}
