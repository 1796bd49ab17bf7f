/** Rules for placeholders in SQL. */
import { suggest } from '../../model/spelling.ts'
import type { SqlRule } from './sql-rule.ts'

/** @param required the placeholder without which the statement returns rows of every organization */
export function missingPlaceholder(required: string): SqlRule {
  const message = `no :${required}, expected a condition on it`
  return ({ placeholders, statements }) =>
    placeholders.some(({ name }) => name === required)
      ? []
      : [{ offset: statements[0]?.start ?? 0, message }]
}

export const unknownPlaceholders: SqlRule = ({ placeholders, known }) => {
  const written = known.map(name => `:${name}`)
  return placeholders
    .filter(({ name }) => !known.includes(name))
    .map(({ name, start }) => ({
      offset: start,
      message: `unknown placeholder :${name}, ${suggest(`:${name}`, written)}`,
    }))
}

const numberedParameters: SqlRule = ({ text, tokens }) =>
  tokens
    .filter(({ kind }) => kind === 'parameter')
    .map(({ start, end }) => ({
      offset: start,
      message: `parameter ${text.slice(start, end)}, expected a placeholder by name, such as :organization_id`,
    }))

/** In `a[1:period_end]`, PostgreSQL reads an array slice up to a column of that name. */
const slicedPlaceholders: SqlRule = ({ text, tokens, known, placeholders }) => {
  const bound = new Set(placeholders.map(({ start }) => start))
  return tokens.flatMap(({ start, end }, at) => {
    const next = tokens[at + 1]
    if (text.slice(start, end) !== ':' || bound.has(start) || next?.start !== end) return []
    const name = text.slice(next.start, next.end)
    if (!known.includes(name)) return []
    const message = `":" here is a slice of an array, expected the placeholder in parentheses: (:${name})`
    return [{ offset: start, message }]
  })
}

export const PLACEHOLDER_RULES = [numberedParameters, slicedPlaceholders]
