/** A value that no row has leaves no row and no figure, unless it is the end of a threshold. */
import { valueFault, defaultValues } from '../../../definitions/parameter-values.ts'
import { EXTREMES } from '../parameter-questions.ts'
import type { Experiment, Trial } from './experiment.ts'
import { figuresOf } from './figures.ts'

export const parameter: Experiment = {
  id: 'parameter',
  periods: ['this year'],
  find: async trial => {
    const { definition, question } = trial
    for (const declared of definition.parameters) {
      const { name, type, choices } = declared
      const isOpen = (value: string) => choices !== undefined || !valueFault(declared, value)
      // why: of a threshold, one of the two leaves all rows
      const values = type === 'boolean' ? [] : EXTREMES[type].filter(isOpen)
      let left: string | undefined
      for (const value of values) {
        left = await leftBy(trial, name, value)
        if (left === undefined) break
      }
      if (left === undefined) continue
      const path = ['parameters', name]
      const message = `${path.join('.')}: with ${values.join(' and with ')}, which no row has, ${left} (${question.label}), expected no row and no figure: select by :${name} wherever rows are read`
      return { line: definition.source.lineOf(path), message }
    }
    return undefined
  },
}

/** What a value of no row leaves; undefined if nothing. */
async function leftBy(
  { definition, execute }: Trial,
  name: string,
  value: string,
): Promise<string | undefined> {
  const parameters = new Map([...defaultValues(definition.parameters), [name, value]])
  const result = await execute({ bindings: { parameters } })
  const remaining = [...figuresOf(definition, result).values()].find(one => one.value !== 0)
  if (remaining === undefined) return undefined
  return `${remaining.row} still has ${remaining.column} ${remaining.value}`
}
