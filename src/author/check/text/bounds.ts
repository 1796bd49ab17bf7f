/** Rules on bounds of the period that are moved, swapped, or not taken by themselves. */
import type { Finding } from '../../../definitions/findings.ts'
import { withLines, type TextRule } from './draft.ts'
import { bare, callsIn, columnOf, comparisonsIn, placeholderOf } from './expressions.ts'
import { everyList, flat, isGroup, isSign, isWord, split, written, type Nodes } from './nodes.ts'
import { ENDS, STARTS } from './period.ts'
import { everySelect } from './queries.ts'

/** `< :period_end + 1`, `< :period_end - 1` and `<= :period_end_at - interval '1 second'` beside a start. */
export const movedEnds: TextRule = draft => {
  const comparisons = withLines(draft, comparisonsIn)
  const begins = new Set(
    comparisons.flatMap(({ left, sign, right }) =>
      sign === '>=' && STARTS.includes(placeholderOf(right) ?? '')
        ? (columnOf(left)?.name ?? [])
        : [],
    ),
  )
  return comparisons.flatMap(({ left, sign, right, line }) => {
    const problem = begins.has(columnOf(left)?.name ?? '') ? moved(sign, bare(right)) : undefined
    if (problem === undefined) return []
    const message = `${sign} ${written(right)} ${problem}, expected < ${bare(right)[0]?.text}`
    return [{ line, message }]
  })
}

/** What is wrong with an end of the period that is moved by a day, or by less. */
export function moved(sign: string, [end, by, first, second, ...rest]: Nodes): string | undefined {
  if (end?.kind !== 'placeholder' || !ENDS.includes(end.text) || rest.length > 0) return undefined
  const isDay = first?.text === '1' && second === undefined
  if (sign === '<' && isDay && isSign(by, '+')) return 'takes in the day after the period'
  if (sign === '<' && isDay && isSign(by, '-')) return "leaves out the period's last day"
  // why: an instant is whole in microseconds
  const isInterval = isWord(first, 'interval') && second?.kind === 'string'
  const isPart = sign === '<=' && isSign(by, '-') && isInterval && !/micro|us\b/.test(second.text)
  return isPart ? `leaves out what happens in the last ${second.text.slice(1, -1)}` : undefined
}

/** A column that begins behind the period's end and ends before its start. */
export const swappedBounds: TextRule = ({ query }) =>
  everySelect(query).flatMap(({ where, tables }) =>
    [where, ...tables.map(({ on }) => on)].flatMap(list => {
      const bounds = conjunctsOf(list)
      return bounds.flatMap(({ left, sign, right, line }): Finding[] => {
        const [name, end] = [columnOf(left)?.name, placeholderOf(right)]
        const start = bounds.find(
          other =>
            columnOf(other.left)?.name === name &&
            other.sign === '<' &&
            STARTS.includes(placeholderOf(other.right) ?? ''),
        )
        if (name === undefined || sign !== '>=' || !ENDS.includes(end ?? '') || !start) return []
        const message = `${written(left)} >= ${end} and < ${placeholderOf(start.right)} is never true, expected start and end the other way round`
        return [{ line, message }]
      })
    }),
  )

/** Comparisons that must all hold. */
function conjunctsOf(list: Nodes): ReturnType<typeof comparisonsIn> {
  return split(list, node => isWord(node, 'and')).flatMap(part =>
    flat(part).some(token => isWord(token, 'or', 'not', 'case', 'select'))
      ? []
      : comparisonsIn(part),
  )
}

/** `not (day > :period_end)` */
export const negatedEnds: TextRule = draft =>
  withLines(draft, nodes =>
    everyList(nodes).flatMap(list =>
      list.flatMap((node, at) => {
        const group = list[at + 1]
        if (!isWord(node, 'not') || !isGroup(group)) return []
        const [found, ...others] = comparisonsIn(bare(group.nodes)).filter(
          ({ left }) => columnOf(left) !== undefined,
        )
        const end = placeholderOf(found?.right ?? [])
        const isEnd = found?.sign === '>' && ENDS.includes(end ?? '') && others.length === 0
        const isAlone = !flat(group.nodes).some(token => isWord(token, 'and', 'or', 'select'))
        if (!isEnd || !isAlone) return []
        const message = `not (${written(group.nodes)}) takes in ${nextTo(end)} after the period, expected ${written(found.left)} < ${end}`
        return [{ line: node.line, message }]
      }),
    ),
  )

/** What lies behind the period. */
export function nextTo(end: string | undefined): string {
  return end?.endsWith('_at') === true ? 'the moment' : 'the day'
}

/** `extract(year from day) = extract(year from :period_start)` and no other bound: a month's answer is a year's. */
export const onlyYear: TextRule = draft => {
  const comparisons = withLines(draft, comparisonsIn)
  const isBounded = comparisons.some(({ right }) => {
    const calls = callsIn(right, 'extract', 'date_part')
    return (
      calls.length === 0 &&
      flat(right).some(
        ({ kind, text }) =>
          kind === 'placeholder' && ![':organization_id', ':time_zone'].includes(text),
      )
    )
  })
  if (isBounded) return []
  return comparisons.flatMap(({ left, sign, right, line }) => {
    const [call] = callsIn(right, 'extract', 'date_part')
    const part = flat(call?.args.flat() ?? [])
    const isYear = isWord(part[0], 'year') || part[0]?.text === "'year'"
    const of = part.find(({ text }) => [...STARTS, ...ENDS].includes(text))
    if (!isYear || of === undefined || sign !== '=') return []
    const message = `${written(left)} = the year of ${of.text} takes in the whole year, expected :period_start and :period_end`
    return [{ line, message }]
  })
}
