/** The rule on parts of intervals: the hours of two days and three hours are three. */
import { withLines, type TextRule } from './draft.ts'
import { byComma, everyList, flat, isGroup, isSign, isWord, nameOf, type Nodes } from './nodes.ts'

/** Parts that a larger one beside them completes. */
const LARGER: Readonly<Record<string, readonly string[]>> = {
  minute: ['hour', 'day', 'epoch'],
  hour: ['day', 'epoch'],
  day: ['month', 'year', 'epoch'],
}

export const partsOfIntervals: TextRule = draft =>
  withLines(draft, nodes =>
    everyList(nodes).flatMap(list => {
      const parts = list.flatMap((node, at) => partOf(node, list[at + 1]) ?? [])
      return parts.flatMap(({ name, unit, isAge, line }) => {
        const larger = unit === 'day' && !isAge ? undefined : LARGER[unit]
        if (larger === undefined || parts.some(other => larger.includes(other.unit))) return []
        const lost = unit === 'day' ? 'months' : unit === 'hour' ? 'days' : 'hours'
        const message = `${name}(${unit} ...) of a difference drops its ${lost}, expected extract(epoch from ...) / ${SECONDS[unit]}`
        return [{ line, message }]
      })
    }),
  )

const SECONDS: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 }

/** `extract(hour from a - b)`, `date_part('hour', a - b)`; a difference, or an age. */
function partOf(node: Nodes[number], group: Nodes[number] | undefined) {
  const name = nameOf(node)
  if (name === undefined || !isWord(node, 'extract', 'date_part') || !isGroup(group))
    return undefined
  const [first = [], second = []] = byComma(group.nodes)
  const operand = name === 'extract' ? first.slice(2) : second
  const unit = first[0]?.text.replaceAll("'", '').toLowerCase().replace(/s$/, '') ?? ''
  const isAge = isWord(operand[0], 'age')
  const isDifference = operand.some(part => isSign(part, '-')) && !hasUnit(operand)
  return isAge || isDifference ? { name, unit, isAge, line: node.line } : undefined
}

/** `x - interval '1 hour'` is an instant. */
function hasUnit(operand: Nodes): boolean {
  return flat(operand).some(token => isWord(token, 'interval', 'zone'))
}
