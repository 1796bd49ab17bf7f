/** Where columns say `periods: sum`, rows outside of the period change nothing, and its parts add up to it. */
import { addDays } from '../../../definitions/calendar.ts'
import type { Bindings } from '../../../definitions/definition.ts'
import type { IsoDate, Period } from '../../../model/terms.ts'
import { lineOfColumn } from '../output-columns.ts'
import { hasUncopied, OF_BOUNDS, rowsAtEdges, summedColumns } from './edges.ts'
import type { Experiment, Trial } from './experiment.ts'
import { figuresOf } from './figures.ts'

/** In this zone the midnight before each of these days comes twice; past ones, since there may be no facts in the future. */
const TWICE = { timeZone: 'America/Havana', period: { start: '2023-11-05', end: '2024-11-03' } }

export const splitPeriod: Experiment = {
  id: 'split-period',
  periods: ['this year'],
  unless: OF_BOUNDS,
  find: async trial => {
    const { draft, question } = trial
    // why: the midnights of other zones are among those of this one, so that most statements are executed there only
    const inZone = await differenceIn(trial, TWICE)
    // why: rows that cannot be copied may all be of other years
    const isOwn = inZone !== undefined || hasUncopied(trial)
    const found = (isOwn ? await differenceIn(trial, question.bindings) : undefined) ?? inZone
    if (found === undefined) return undefined
    const { column, row, whole, other } = found
    const where =
      found === inZone
        ? `${TWICE.period.start} to ${TWICE.period.end} in ${TWICE.timeZone}, where midnight comes twice`
        : question.label
    const message = `"${column}" says periods: sum (${where}: ${row} has ${whole}, and ${other}), expected each row of the period in one of its parts, and no others, as by >= :period_start and < :period_end`
    return { line: lineOfColumn(draft, column), message }
  },
}

async function differenceIn(
  trial: Trial,
  { period, timeZone }: Pick<Bindings, 'period' | 'timeZone'>,
) {
  const { definition, execute, question, unseen } = trial
  const columns = summedColumns(trial)
  if (columns.size === 0) return undefined
  const day = middleOf(period)
  const figuresIn = async (part: Period, within?: Period) => {
    const rows = rowsAtEdges(trial, [period.start, day, period.end], timeZone, within)
    const result = await execute({ ...rows, bindings: { period: part, timeZone } })
    return figuresOf(definition, result, columns)
  }
  const all = await figuresIn(period)
  const others = [
    await figuresIn(period, period),
    await figuresIn({ ...period, end: day }),
    await figuresIn({ ...period, start: day }),
  ]
  const cells = new Map([...others.flatMap(one => Array.from(one)), ...all])
  if (cells.size === 0) unseen(`no rows for ${question.label}`)
  for (const [cell, { column, row }] of cells) {
    const [whole = 0, inside = 0, before = 0, after = 0] = [all, ...others].map(
      one => one.get(cell)?.value,
    )
    const found = { column, row, whole }
    if (whole !== inside) return { ...found, other: `${inside} without the rows outside of it` }
    if (whole !== before + after)
      return { ...found, other: `${before} and ${after} before and from ${day}` }
  }
  return undefined
}

function middleOf({ start, end }: Period): IsoDate {
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000
  return addDays(start, Math.ceil(days / 2))
}
