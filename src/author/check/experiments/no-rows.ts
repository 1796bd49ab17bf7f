/** Over no rows at all, as of a new organization, there is a result without an error, and no figure in it. */
import type { RowsOf } from '../../../definitions/tenant-rows.ts'
import { evidence } from '../evidence.ts'
import { faultsOfExecution } from '../executions.ts'
import { lineOfColumn } from '../output-columns.ts'
import { isRefusal, orRefusal, QUERY_CANCELED } from '../session.ts'
import type { Experiment } from './experiment.ts'
import { figuresOf } from './figures.ts'

export const noRows: Experiment = {
  kind: evidence('no-rows'),
  periods: ['this year'],
  unless: ['zero-division', 'plain-count', 'left-join-count'],
  find: async trial => {
    const { definition, draft, execute, question, rowsOf } = trial
    const sources: RowsOf = (...of) => [
      'select own.* from (',
      ...rowsOf(...of),
      ') as own where false',
    ]
    const result = await orRefusal(execute({ sources }))
    if (isRefusal(result) && result.code === QUERY_CANCELED) throw result
    const [fault] = faultsOfExecution(trial, { ...question, label: 'over no rows' }, result)
    if (fault !== undefined || isRefusal(result)) return fault
    const figures = [...figuresOf(definition, result).values()]
    // why: a row without figures is right, as that of a grand total
    const figure = figures.find(({ column, value }) => column !== 'row_count' && value !== 0)
    if (figure === undefined) return undefined
    const { row, column, value } = figure
    const message = `over no rows at all ${row} has ${column} ${value}, expected null or 0, and functions that read no rows`
    return { line: lineOfColumn(draft, column), message }
  },
}
