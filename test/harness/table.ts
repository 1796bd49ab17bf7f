// Prints outcomes as a table. Pure.
import { aligned } from '../../src/author/terminal/columns.ts'
import { isReached, type Figure } from './figures.ts'
import { verdictOf, type Outcome } from './scenario.ts'

/** Lines: each scenario with verdict, hypothesis and figures, then the missed targets. */
export function tableOf(outcomes: readonly Outcome[]): string[] {
  const short = outcomes.filter(outcome => verdictOf(outcome) === 'FALLS SHORT')
  const names = short.map(({ scenario }) => scenario.name).join(', ')
  return [
    ...outcomes.flatMap(outcome => [
      `${outcome.scenario.name}: ${verdictOf(outcome)}`,
      `  ${outcome.scenario.hypothesis}`,
      ...aligned(outcome.figures.map(cellsOf)).map(line => `  ${line}`),
      ...reasonsOf(outcome).map(line => `    ${line}`),
      '',
    ]),
    short.length === 0
      ? 'No scenario falls short.'
      : `FALLS SHORT, ${short.length} of ${outcomes.length}: ${names}`,
  ]
}

function cellsOf(figure: Figure): string[] {
  const { name, value, unit, exactly, atMost, atLeast } = figure
  const bounds = [
    ...(exactly === undefined ? [] : [quantity(exactly, unit)]),
    ...(atLeast === undefined ? [] : [`>= ${quantity(atLeast, unit)}`]),
    ...(atMost === undefined ? [] : [`<= ${quantity(atMost, unit)}`]),
  ]
  const toReach = bounds.join(' and ') || '(said only)'
  return [isReached(figure) ? ' ' : '!', name, quantity(value, unit), toReach]
}

/** Details of figures, and reasons of missed targets. */
function reasonsOf(outcome: Outcome): string[] {
  const { figures, broke, missing, violations, responses } = outcome
  const isShort = verdictOf(outcome) === 'FALLS SHORT'
  return [
    ...(broke === undefined ? [] : [`broke off: ${broke}`]),
    ...(missing === undefined ? [] : [`not on this machine: ${missing}`]),
    ...figures.flatMap(({ name, detail }) => (detail ? [`${name}: ${detail}`] : [])),
    ...violations.map(text => `invariant: ${text}`),
    ...(isShort ? responses.filter(Boolean).map(text => `responses were ${text}`) : []),
  ]
}

function quantity(value: number, unit: Figure['unit']): string {
  const digits = Number.isInteger(value)
    ? String(value)
    : value.toFixed(Math.abs(value) < 10 ? 2 : 0)
  if (unit === undefined) return digits
  return unit === 'x' || unit === '%' ? `${digits}${unit}` : `${digits} ${unit}`
}
