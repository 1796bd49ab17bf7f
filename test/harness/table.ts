// Outcomes as a person reads them. Pure.
import { aligned } from '../../src/terminal/columns.ts'
import { isReached } from './figures.ts'
import type { Figure } from './figures.ts'
import { verdictOf } from './scenario.ts'
import type { Outcome } from './scenario.ts'

const WIDTH = 58
/** Nothing of the bench's own but idle servers runs before a scenario: they make 0 to 5. */
const BUSY = 20

/** Lines: the table, then why each that falls short does. */
export function tableOf(outcomes: readonly Outcome[], subject = 'fault'): string[] {
  const head = [subject, 'hypothesis', 'measured', 'to reach', 'verdict']
  const rows = outcomes.flatMap(outcome => rowsOf(outcome))
  const short = outcomes.filter(outcome => verdictOf(outcome) === 'FALLS SHORT')
  return [
    ...aligned([head, ...rows]),
    '',
    ...outcomes.flatMap(reasonsOf),
    short.length === 0
      ? 'No scenario falls short.'
      : `FALLS SHORT, ${short.length} of ${outcomes.length}: ${short.map(({ scenario }) => scenario.name).join(', ')}`,
  ]
}

/** A line for each figure, beside the hypothesis in as many lines as it takes. */
function rowsOf(outcome: Outcome): string[][] {
  const { scenario, figures } = outcome
  const names = [scenario.name]
  const words = wrapped(scenario.hypothesis)
  const verdicts = [verdictOf(outcome)]
  const count = Math.max(words.length, figures.length, 1)
  return Array.from({ length: count }, (_, at) => {
    const figure = figures[at]
    const [measured, toReach] = figure ? cellsOf(figure) : ['', '']
    return [names[at] ?? '', words[at] ?? '', measured, toReach, verdicts[at] ?? '']
  })
}

function cellsOf(figure: Figure): [string, string] {
  const { name, value, unit, exactly, atMost, atLeast } = figure
  const bounds = [
    ...(exactly === undefined ? [] : [quantity(exactly, unit)]),
    ...(atLeast === undefined ? [] : [`>= ${quantity(atLeast, unit)}`]),
    ...(atMost === undefined ? [] : [`<= ${quantity(atMost, unit)}`]),
  ]
  return [
    `${isReached(figure) ? ' ' : '!'} ${name}: ${quantity(value, unit)}`,
    bounds.join(' and ') || '(said only)',
  ]
}

function reasonsOf(outcome: Outcome): string[] {
  const { scenario, figures, broke, missing, violations, responses, pressure = 0 } = outcome
  const isShort = verdictOf(outcome) === 'FALLS SHORT'
  const words = [
    ...(broke === undefined ? [] : [`broke off: ${broke}`]),
    ...(missing === undefined ? [] : [`not on this machine: ${missing}`]),
    ...figures.flatMap(({ name, detail }) => (detail ? [`${name}: ${detail}`] : [])),
    ...violations.map(text => `invariant: ${text}`),
    ...(isShort && pressure >= BUSY
      ? [
          `others wanted a processor for ${pressure} % of the time before it began: run it again alone`,
        ]
      : []),
    ...(isShort ? responses.filter(Boolean).map(text => `responses were ${text}`) : []),
  ]
  return words.map(text => `${scenario.name}: ${text}`)
}

function wrapped(text: string): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

function quantity(value: number, unit: Figure['unit']): string {
  const digits = Number.isInteger(value)
    ? String(value)
    : value.toFixed(Math.abs(value) < 10 ? 2 : 0)
  if (unit === undefined) return digits
  return unit === 'x' || unit === '%' ? `${digits}${unit}` : `${digits} ${unit}`
}
