/** Rules on time zones that are written out: the organization's own decides where its days begin. */
import { withLines, type TextRule } from './draft.ts'
import { callsIn } from './expressions.ts'
import { everyList, flat, isWord, type Node, type Nodes } from './nodes.ts'

/** `at time zone 'UTC' at time zone :time_zone` is how a timestamp without a zone becomes local. */
export const otherZones: TextRule = draft =>
  withLines(draft, nodes => [
    ...callsIn(nodes, 'timezone').flatMap(({ args: [first = []], line, rest }) => {
      const [zone] = first
      const isMadeLocal = isUtc(zone) && (isWord(rest[0], 'at') || isInner(zone, nodes))
      return zone?.kind !== 'string' || isMadeLocal ? [] : [{ line, message: another(zone) }]
    }),
    ...everyList(nodes).flatMap(list =>
      list.flatMap((node, at) => {
        const zone = list[at + 1]
        if (!isWord(node, 'zone') || zone?.kind !== 'string' || !isWord(list[at - 1], 'time'))
          return []
        if (isUtc(zone) && isWord(list[at + 2], 'at')) return []
        return [{ line: zone.line, message: another(zone) }]
      }),
    ),
  ])

function isUtc(zone: Node | undefined): boolean {
  return /^'(utc|gmt)'$/i.test(zone?.text ?? '')
}

/** Whether another call of timezone() has it in its second argument. */
function isInner(zone: Node | undefined, nodes: Nodes): boolean {
  return callsIn(nodes, 'timezone').some(({ args: [, inner = []] }) =>
    flat(inner).some(token => token === zone),
  )
}

function another({ text }: Node): string {
  return `time zone ${text} is not that of every organization, expected :time_zone`
}
