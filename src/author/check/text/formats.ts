/** Rules on what `to_char` prints: formats that read well and mean something else. */
import { withLines, type TextRule } from './draft.ts'
import { callsIn } from './expressions.ts'

export const dateFormats: TextRule = draft =>
  withLines(draft, nodes =>
    callsIn(nodes, 'to_char').flatMap(({ args: [, format = []], line }) => {
      const [literal] = format
      if (format.length !== 1 || literal?.kind !== 'string') return []
      const problem = problemOf(literal.text.slice(1, -1))
      return problem === undefined ? [] : [{ line, message: `${literal.text}: ${problem}` }]
    }),
  )

/** @param format with literal parts in quotation marks, which are left out */
function problemOf(format: string): string | undefined {
  const pattern = format.replaceAll(/"[^"]*"/g, ' ').toUpperCase()
  const has = (shape: RegExp) => shape.test(pattern)
  const hasDay = has(/YY|DD/)
  if (has(/MI/) && hasDay && !has(/HH|SS/)) return 'MI is minutes, expected MM for the month'
  if (has(/HH(?!24)/) && !has(/[AP]\.?M/)) return 'HH counts to 12, expected HH24'
  if (has(/IYYY|IYY|IY/) && has(/MM|MON|DD(?!D)/) && !has(/IW/)) {
    return 'IYYY is the year of the week, expected YYYY, or IW beside it'
  }
  if (has(/IW/) && has(/(?<!I)YYYY/)) return 'YYYY is not the year of the week, expected IYYY'
  if (has(/TM(?:MON|DAY|DY)/)) return "TM goes by the server's lc_time, expected a number, or case"
  return undefined
}
