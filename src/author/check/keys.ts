/** A variation: rows have keys of their own where all names are the same, too. */
import { isReport } from '../../definitions/any-definition.ts'
import { alike } from './orders.ts'
import { asItIs } from './shadows.ts'
import { ask, type Variation } from './varied.ts'

export const keys: Variation = async (subject, question) => {
  const { definition, tables } = subject
  if (!isReport(definition) || definition.key.length === 0) return undefined
  const { id: organizationId } = question.organization
  const shadows = tables.map(table => ({
    table,
    organizationId,
    order: 'forth' as const,
    columnOf: (column: (typeof table.columns)[number]) =>
      column.kind === 'text' ? alike(column) : asItIs(column),
  }))
  const answer = await ask(subject, question, shadows, { enable_nestloop: 'off' })
  if (answer === undefined) return undefined
  const placeOf = (name: string) => answer.fields.findIndex(field => field.name === name)
  const places = definition.key.map(placeOf)
  const rows = answer.rows.filter(row => row[placeOf('is_total')] !== 't')
  const own = rows.map(row => JSON.stringify(places.map(place => row[place])))
  if (places.includes(-1) || new Set(own).size === own.length) return undefined
  const message = `key: rows whose names are the same have one ${definition.key.join(', ')} (${question.said}), expected columns that make a row unique, as an id does`
  return { line: definition.source.lineOf(['key']), message }
}
